"""The zeroings of a whole file, and which of them can concern an owner.

A file may hold thousands of training functions, each with a zeroing of its own: the owners of one
are not compared with the zeroings of all others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from itertools import chain

from ..events.event import Zero
from ..program import ANY_ELEMENT, Ref
from ..vocabulary.things import Thing
from .file_facts import FileFacts
from .reach import Owner


class Zeroings:
    """The zeroings of a file: those that are called, and those that may run at any time."""

    def __init__(self, called: list[Zero], deferred: list[Zero], facts: FileFacts) -> None:
        subjects = {zero.subject for zero in (*called, *deferred) if zero.subject is not None}
        self.things = {ref: facts.thing(ref) for ref in subjects}
        """What sort of object each subject is."""
        self.called = ZerosByScope(called, facts)
        self.deferred = ZerosByScope(deferred, facts)
        """Those that may run from outside the file."""


class ZerosByScope:
    """Zeroings by the function whose own objects they clear, if they clear nothing else."""

    def __init__(self, zeros: Iterable[Zero], facts: FileFacts) -> None:
        self._zeros = list(zeros)
        self._facts = facts
        self._within: dict[str, list[Zero]] = {}
        self._anywhere: list[Zero] = []
        for zero in self._zeros:
            scope = self._scope_cleared(zero)
            at_home = self._anywhere if scope is None else self._within.setdefault(scope, [])
            at_home.append(zero)

    def __iter__(self) -> Iterator[Zero]:
        return iter(self._zeros)

    def that_may_concern(self, owner: Owner) -> Iterable[Zero]:
        """All zeroings but those that surely clear nothing of an owner."""
        if owner.covers is None or not self._are_made_in_place(owner.covers):
            return self._zeros
        scopes = dict.fromkeys(part.scope for part in (owner.ref, *owner.covers))
        return chain(self._anywhere, *(self._within.get(scope, ()) for scope in scopes))

    def _scope_cleared(self, zero: Zero) -> str | None:
        """The function whose objects are all that a zeroing clears, and have no other names."""
        subject, facts = zero.subject, self._facts
        if subject is None or ANY_ELEMENT in subject.path or not facts.stands_alone(subject):
            return None
        is_optimizer = facts.thing(subject) is Thing.OPTIMIZER
        covers = facts.covers(subject) if is_optimizer else (subject,)
        if not covers or not self._are_made_in_place(covers):
            return None
        scopes: Set[str] = {part.scope for part in (subject, *covers)}
        return subject.scope if len(scopes) == 1 else None

    def _are_made_in_place(self, parts: Iterable[Ref]) -> bool:
        return all(map(self._facts.value_origins.is_constructed_locally, parts))
