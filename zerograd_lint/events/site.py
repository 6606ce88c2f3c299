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
        """Whether the test has the same answer every time, so that the guard keeps nothing out."""
        return isinstance(self.test, Constant)

    @property
    def asks_for_finite(self) -> bool:
        """Whether it keeps out only passes whose numbers are not finite."""
        found = list(atoms(self.test))
        return bool(found) and all(atom.asks_for_finite for atom in found)

    @property
    def skips(self) -> bool:
        """Whether it is known to let through only one pass in n, with n above one."""
        period = next((_PERIOD.search(a.key) for a in atoms(self.test) if a.key is not None), None)
        return self.periodic and period is not None and int(period[1]) > 1

    @property
    def halves(self) -> bool:
        """Whether it lets through one pass in two, which is also all but one in two."""
        return any(atom.key is not None and "%2==" in atom.key for atom in atoms(self.test))


@dataclass(slots=True, eq=False)
class Site:
    """Where an event happens: its node, and the function, loops and guards around it."""

    node: cst.CSTNode
    statement: cst.CSTNode
    """The statement the node stands in, which several events may share."""
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
