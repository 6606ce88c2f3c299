"""Paths through a program: the state reached, and the answers given to tests on the way."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Generic, NamedTuple

from ..program import Atom, Both, Condition, Constant, Environment, Not, Ref, seen_from
from .machine import State

Facts = frozenset[tuple[Atom, bool]]
NO_FACTS: Facts = frozenset()
Assumed = Mapping[str | None, bool]
"""Answers to tests that hold for a whole run."""
NOTHING_ASSUMED: Assumed = {}
_OUTERMOST = Environment()
MAX_PATHS = 96
"""More paths than this at one point are merged by forgetting what was learnt from tests."""


class Path(NamedTuple, Generic[State]):
    """One way through the program up to here, as far as it matters for what comes."""

    state: State
    facts: Facts = NO_FACTS
    """The answers given so far to tests that are asked again."""
    rare: bool = False
    """It came through an exception handler."""


Paths = frozenset[Path[State]]


def bounded(paths: Paths[State]) -> Paths[State]:
    """The same paths, merged if they are too many to follow."""
    if len(paths) <= MAX_PATHS:
        return paths
    return frozenset(Path(path.state, NO_FACTS, path.rare) for path in paths)


def split(
    condition: Condition,
    paths: Paths[State],
    environment: Environment,
    worth_knowing: frozenset[Hashable],
    assumed: Assumed = NOTHING_ASSUMED,
) -> tuple[Paths[State], Paths[State]]:
    """The paths on which the condition holds and those on which it does not.

    Only answers to tests that are `worth_knowing`, being asked more than once, are remembered;
    those that are `assumed` are the same on all paths.
    """
    match condition:
        case Constant(value):
            return (paths, frozenset()) if value else (frozenset(), paths)
        case Not(operand):
            holds, fails = split(operand, paths, environment, worth_knowing, assumed)
            return fails, holds
        case Both(left, right):
            first, not_first = split(left, paths, environment, worth_knowing, assumed)
            both, not_second = split(right, first, environment, worth_knowing, assumed)
            return both, not_first | not_second
        case Atom():
            atom = _seen_from(condition, environment)
            if not isinstance(atom, Atom):
                return split(atom, paths, _OUTERMOST, worth_knowing, assumed)
            key = atom.key
            given = assumed.get(key) if assumed else None
            if given is not None:
                return (paths, frozenset()) if given else (frozenset(), paths)
            if key not in worth_knowing and not atom.once_of:
                return paths, paths
            return _answered(atom, paths, True), _answered(atom, paths, False)


def _seen_from(test: Atom, environment: Environment) -> Condition:
    """The test as the outermost function would ask it, worked out once for each environment."""
    # By identity: equal tests may be spelt in different places, and ask about other rounds.
    known = environment.asked.get(id(test))
    if known is None:
        known = environment.asked[id(test)] = seen_from(test, environment)
    return known


def _answered(atom: Atom, paths: Paths[State], value: bool) -> Paths[State]:
    """The paths on which a test has this answer."""
    found = set()
    for path in paths:
        known = _answer(path.facts, atom.key)
        if known is value:
            found.add(path)
        elif known is None and not (atom.once_of and _answer(path.facts, atom.answered(value).key)):
            found.add(_learn(path, atom, value))
    return frozenset(found)


def _answer(facts: Facts, key: str | None) -> bool | None:
    for atom, value in facts:
        if atom.key == key:
            return value
    return None


def _learn(path: Path[State], atom: Atom, value: bool) -> Path[State]:
    facts = path.facts | {(atom, value)}
    if atom.once_of and (value or atom.once_each):
        facts |= {(atom.answered(value), True)}
    return Path(path.state, facts, path.rare)


def forget(facts: Facts, rebound: Iterable[Ref]) -> Facts:
    """Drop the answers that depended on something that has just been given another value."""
    if not facts:
        return facts
    refs = tuple(rebound)
    return frozenset(
        (atom, value)
        for atom, value in facts
        if not any(ref.contains(read) for ref in refs for read in atom.reads)
    )


def forget_scope(facts: Facts, scope: str) -> Facts:
    """Drop the answers that depended on names of a function that has been left."""
    if not facts:
        return facts
    return frozenset(
        (atom, value) for atom, value in facts if all(read.scope != scope for read in atom.reads)
    )
