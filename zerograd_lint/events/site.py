"""The place in the code where an event happens, and the branches it stands under."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..program import Condition, Constant, Function, atoms

if TYPE_CHECKING:
    import libcst as cst

_PERIOD = re.compile(r"%(\d{1,9})==")


@dataclass(frozen=True, slots=True)
class Guard:
    """A branch that must be taken for a place to be reached."""

    test: Condition
    taken: bool
    periodic: bool
    """The guard lets through one pass in n."""
    inverted: bool
    """It lets through all passes but one in n."""

    @property
    def decided(self) -> bool:
        """The test has the same answer every time, so the guard is none."""
        return isinstance(self.test, Constant)

    @property
    def skips(self) -> bool:
        """It is known to keep out some passes: one in two or more is let through."""
        period = next((_PERIOD.search(a.key) for a in atoms(self.test) if a.key is not None), None)
        return self.periodic and period is not None and int(period[1]) > 1

    @property
    def halves(self) -> bool:
        """One in two is the same share as all but one in two."""
        return any(atom.key is not None and "%2==" in atom.key for atom in atoms(self.test))


@dataclass(slots=True, eq=False)
class Site:
    """Where an event happens. Two events of one statement share its `statement`."""

    node: cst.CSTNode
    statement: cst.CSTNode
    function: Function
    block: int
    """Identifies the list of statements the statement stands in."""
    loops: tuple[int, ...] = ()
    """The loops around it within its function, outermost first."""
    guards: tuple[Guard, ...] = ()
    """The branches around it within its innermost loop."""
    branches: tuple[Site, ...] = ()
    """The `if` statements around it within its innermost loop, outermost first."""
    own_line: bool = True
    """The statement has its line to itself, so it can be moved or preceded by another."""
    only: bool = False
    """It is the only statement of its block, which would be empty without it."""
