"""Facts: the answers that tests were given on the way, as long as these hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..program import Atom, Ref

Facts = frozenset[tuple[Atom, bool]]
NO_FACTS: Facts = frozenset()
Assumed = Mapping[str | None, bool]
"""Answers to tests that hold for a whole run."""
ByRoot = Mapping[Ref, list[Ref]]
"""Objects by what their first name stands for."""


def learn(facts: Facts, atom: Atom, value: bool) -> Facts | None:
    """The facts after a test has had this answer; None if it cannot have it."""
    known = _answer(facts, atom.key)
    if known is not None:
        return facts if known is value else None
    if not atom.once_of:
        return facts | {(atom, value)}
    again = atom.answered(value)
    if _answer(facts, again.key):
        return None
    if value or atom.once_each:
        return facts | {(atom, value), (again, True)}
    return facts | {(atom, value)}


def _answer(facts: Facts, key: str | None) -> bool | None:
    for atom, value in facts:
        if atom.key == key:
            return value
    return None


def by_root(refs: Iterable[Ref]) -> ByRoot:
    found: dict[Ref, list[Ref]] = {}
    for ref in refs:
        found.setdefault(ref.root, []).append(ref)
    return found


def forget(facts: Facts, rebound: ByRoot) -> Facts:
    """Drop the answers that depended on something that has just been given another value."""
    if not facts:
        return facts
    return frozenset(
        (atom, value)
        for atom, value in facts
        if not any(ref.contains(read) for read in atom.reads for ref in rebound.get(read.root, ()))
    )


def forget_scope(facts: Facts, scope: str) -> Facts:
    """Drop the answers that depended on names of a function that has been left."""
    if not facts:
        return facts
    return frozenset(
        (atom, value) for atom, value in facts if all(read.scope != scope for read in atom.reads)
    )
