"""The place in the code where an event happens, and the branches it stands under."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

from ..program import (
    Atom,
    Both,
    Condition,
    Constant,
    Cycle,
    Environment,
    Function,
    Not,
    atoms,
    seen_from,
)

if TYPE_CHECKING:
    import libcst as cst


@dataclass(frozen=True, slots=True)
class Guard:
    """A branch that must be taken for a place to be reached."""

    test: Condition
    taken: bool
    periodic: bool
    """The guard lets through one pass in n."""
    inverted: bool
    """It lets through all passes but one in n."""

    @classmethod
    def of(cls, test: Condition, taken: bool) -> Guard:
        """The guard that a branch of a test is to what stands in it.

        `if not a: continue` and `if a:` are one and the same guard to what follows.
        """
        while isinstance(test, Not):
            test, taken = test.operand, not taken
        return cls(test, taken, *_periodic(test, taken))

    def seen_from(self, environment: Environment) -> Guard:
        """The same guard, where its test asks what a caller says by an argument."""
        test = seen_from(self.test, environment)
        return self if test is self.test else Guard.of(test, self.taken)

    @property
    def decided(self) -> bool:
        """Whether the test has the same answer every time, so that the guard keeps nothing out."""
        return isinstance(self.test, Constant)

    @property
    def is_shut(self) -> bool:
        """Whether nothing ever comes through."""
        test = self.test
        return isinstance(test, Constant) and not test.assumed and test.value is not self.taken

    @property
    def is_setting(self) -> bool:
        """Whether its answer is the same for the whole run, as far as nothing is assigned."""
        return all(atom.setting for atom in atoms(self.test))

    @property
    def keeps_answer(self) -> bool:
        """Whether it asks parts of a configuration only: a bare name may change between calls."""
        return all("." in atom.setting for atom in atoms(self.test))

    @property
    def asks_for_finite(self) -> bool:
        """Whether it keeps out only passes whose numbers are not finite."""
        found = list(atoms(self.test))
        return bool(found) and all(atom.asks_for_finite for atom in found)

    @property
    def skips(self) -> bool:
        """Whether it is known to let through only one pass in n, with n above one, or only one."""
        atom, holds = self._single()
        if atom is not None and holds and atom.once_of and not atom.once_each:
            return True
        periods = [cycle.period for cycle in self.cycles]
        return (
            self.periodic and bool(periods) and all(isinstance(n, int) and n > 1 for n in periods)
        )

    @property
    def closes_loop(self) -> bool:
        """Whether it lets only the last round of a loop through."""
        atom, holds = self._single()
        return atom is not None and holds and atom.last_round

    @property
    def skips_if_long(self) -> frozenset[str]:
        """The settings that it counts by: where they are above one, it lets one pass in n through.

        Empty unless all that it asks are settings, and cycles whose periods are.
        """
        found = list(atoms(self.test))
        if not self.periodic or any(not (a.setting or a.period_setting) for a in found):
            return frozenset()
        return frozenset(atom.period_setting for atom in found if atom.period_setting)

    def asks_for_more(self, length: str) -> bool:
        """Whether it lets only those runs through in which this setting is above one."""
        atom, holds = self._single()
        asked = (f"{length} == 1", False), (f"{length} > 1", True), (f"{length} >= 2", True)
        return atom is not None and (atom.setting, holds) in asked

    @property
    def halves(self) -> bool:
        """Whether it lets through one pass in two, which is also all but one in two."""
        return any(cycle.period == 2 for cycle in self.cycles)

    @property
    def swapped(self) -> bool:
        """Whether the counter divides where it should be divided: `n % i`."""
        return any(atom.swapped for atom in atoms(self.test))

    @property
    def cycles(self) -> list[Cycle]:
        """The cycles that its test is made of."""
        return [atom.cycle for atom in atoms(self.test) if atom.cycle is not None]

    @property
    def cycle(self) -> Cycle | None:
        """The passes it lets through, where they are one cycle."""
        atom, holds = self._single()
        return atom.cycle if atom is not None and holds else None

    @property
    def skipped_cycle(self) -> Cycle | None:
        """The passes it keeps out, where they are one cycle."""
        atom, holds = self._single()
        return atom.cycle if atom is not None and not holds else None

    def counter_in(self, site: Site) -> Site | None:
        """The counter of its cycle, as a place of the `if` around a site."""
        atom, _ = self._single()
        if atom is None or atom.counter is None or not site.branches:
            return None
        return replace(site.branches[-1], node=cast("cst.CSTNode", atom.counter))

    def _single(self) -> tuple[Atom | None, bool]:
        """The one atom of its test, and whether it has to hold."""
        test, holds = self.test, self.taken
        while isinstance(test, Not):
            test, holds = test.operand, not holds
        return (test if isinstance(test, Atom) else None), holds


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
    order: int = 0
    """Grows from place to place in the order of the code."""
    conditional: bool = False
    """It stands under some test, also one outside its loop, and may not be reached at first."""
    caught: bool = False
    """An error that is raised here is handled, as one that was foreseen."""
    fails: bool = False
    """It is there to fail: in `with pytest.raises(…)`."""


def _periodic(condition: Condition, taken: bool) -> tuple[bool, bool]:
    """Whether taking this branch means one pass in n, or all but one in n."""
    while isinstance(condition, Not):
        condition, taken = condition.operand, not taken
    match condition:
        case Atom(periodic=True, cycle=cycle):
            if cycle is not None and cycle.picks_one:
                return taken, not taken
            if cycle is not None and cycle.picks_all_but_one:
                return not taken, taken
            # A name or a counter says that there are windows, not which way it counts.
            return True, False
        case Both(left, right):
            parts = [_periodic(left, taken), _periodic(right, taken)]
            return any(part[0] for part in parts), False
    return False, False
