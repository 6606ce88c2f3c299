"""Tests with one answer throughout a run, since nothing that they read changes in its loops."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from ..program import (
    Atom,
    Block,
    Branch,
    Choice,
    Emit,
    Environment,
    Function,
    Invoke,
    Jump,
    Loop,
    Rebind,
    Ref,
    Statement,
    Try,
    answer_if,
    atoms,
    seen_from,
    walk,
)
from .invocations import Invocations
from .recall import shared_scopes

_Call = tuple[Function, Environment, bool]
"""A function that is called, what its names stand for, and whether that may be more than once."""


@dataclass(slots=True)
class InvariantTest:
    """One question with one answer, wherever in the run it is asked."""

    atom: Atom
    reads: frozenset[Ref]
    """What it reads, as its function and the outermost one name it."""
    key: str
    """The key of all tests that ask it, seen from the outermost function."""
    depth: int = 0
    """How many calls deep the atom is asked: the nearest to the outermost function says most."""
    decided: list[object] = field(default_factory=list)
    """The events that its answer decides about."""
    answers: frozenset[bool] = frozenset({True, False})
    """What it may answer: where one of those who ask knows the value, one of the two."""
    only_in_loops: bool = True
    """It is asked nowhere outside of loops."""
    leads_away: bool = False
    """One of its answers leads out of the block it is asked in."""
    prevented: dict[bool, set[object]] = field(default_factory=lambda: {True: set(), False: set()})
    """By answer: those of the events that do not happen with it."""


class InvariantTests:
    """Finds the invariant tests of what one function runs."""

    def __init__(self, root: Function, invocations: Invocations) -> None:
        self._root = root
        self._invocations = invocations
        reached = invocations.reachable(root)
        self._followed = frozenset(reached)
        self._calls = Counter(callee for f in reached for callee in invocations.callees(f))
        self._shared_scopes = shared_scopes(reached)
        self._once = {root}
        """The functions that one run of the root runs exactly once."""
        self._found: dict[str, InvariantTest] = {}
        self._changing: list[Ref] = []
        """What changes where the root runs it more than once."""
        self._depth = 0
        self._follow()

    def all(self) -> list[InvariantTest]:
        """The tests, in the order of the program."""
        return [
            test
            for test in self._found.values()
            if not any(read.overlaps(ref) for read in test.reads for ref in self._changing)
            and not any(map(self._may_change_elsewhere, test.reads))
        ]

    def _may_change_elsewhere(self, read: Ref) -> bool:
        """Whether functions that are not followed from here may change it."""
        return any(
            function not in self._followed and read.overlaps(ref)
            for function, ref in self._invocations.changed_for_others.get(read.root, ())
        )

    def _follow(self) -> None:
        """Go through all that the root runs, in order; calls may be nested as deep as they like."""
        root = self._root
        running = {root.scope: self._block(root.body, root, Environment(), False)}
        # More ways may lead to a function than can be counted; once in each environment will do.
        followed: set[tuple[str, object, bool]] = set()
        while running:
            self._depth = len(running)
            call = next(running[next(reversed(running))], None)
            if call is None:
                running.popitem()
                continue
            function, environment, in_loop = call
            known = (function.scope, environment.key, in_loop)
            if function.scope not in running and known not in followed:
                followed.add(known)
                running[function.scope] = self._block(function.body, function, environment, in_loop)

    def _block(
        self, block: Block, function: Function, environment: Environment, in_loop: bool
    ) -> Iterator[_Call]:
        """Go through a block, up to each call in turn."""
        for statement in block:
            match statement:
                case Rebind(refs) if in_loop or self._calls[function] > 1:
                    self._changing += refs.union(map(environment.resolve, refs))
                case Branch(test):
                    for atom in atoms(test):
                        self._ask(atom, statement, function, environment, in_loop)
                case Invoke(callee) if self._calls[callee] == 1:
                    if function in self._once and not in_loop:
                        self._once.add(callee)
                    yield callee, statement.environment(environment, self._shared_scopes), in_loop
                case Invoke(callee):
                    # Which caller it was makes no difference, apart from names that both see.
                    yield callee, environment.within((), self._shared_scopes, {}), True
            for part in _parts(statement):
                deeper = in_loop or isinstance(statement, Loop | Invoke)
                yield from self._block(part, function, environment, deeper)

    def _ask(
        self,
        atom: Atom,
        branch: Branch,
        function: Function,
        environment: Environment,
        in_loop: bool,
    ) -> None:
        seen = seen_from(atom, environment)
        if not isinstance(seen, Atom) or seen.key is None or not atom.setting:
            return
        reads = seen.reads
        # Names of a function have another value whenever it is called again.
        if function not in self._once and any(read.scope == function.scope for read in reads):
            return
        scopes = {each.scope for each in self._once}
        if not in_loop and self._root.scope and any(r.scope in scopes for r in reads):
            return
        found = InvariantTest(atom, reads | atom.reads, seen.key, self._depth)
        test = self._found.setdefault(seen.key, found)
        if found.depth < test.depth:
            test.atom, test.depth = atom, found.depth
        test.answers &= atom.answers
        test.only_in_loops &= in_loop
        then, orelse = list(self._events(branch.then)), list(self._events(branch.orelse))
        test.decided += [*then, *orelse]
        inside = walk([*branch.then, *branch.orelse])
        test.leads_away |= any(isinstance(statement, Jump) for statement in inside)
        for answer in (True, False):
            taken = answer_if(branch.test, atom, answer)
            test.prevented[answer].update(() if taken is None else orelse if taken else then)

    def _events(self, block: Block) -> Iterator[object]:
        for statement in walk(block):
            match statement:
                case Emit(event):
                    yield event
                case Invoke(callee):
                    for function in self._invocations.reachable(callee):
                        yield from self._invocations.contents(function).events


def _parts(statement: Statement) -> Iterator[Block]:
    """The blocks inside a statement."""
    match statement:
        case Branch(_, then, orelse) | Loop(then, orelse):
            yield from (then, orelse)
        case Choice(arms):
            yield from arms
        case Try(body, handlers, orelse, final):
            yield from (body, *handlers, orelse, final)
        case Invoke(consumer=consumer) if consumer is not None:
            yield consumer
