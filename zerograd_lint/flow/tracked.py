"""The objects whose rebinding can change anything on some path."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable

from ..program import Function, Ref
from .invocations import Invocations

_EVERY_PART = "*"


class Tracked:
    """A set of objects, in which an element of a collection stands for all of them."""

    def __init__(self, refs: Iterable[Ref]) -> None:
        self._parts: set[tuple[str, str, str]] = set()
        self.add(refs)

    def add(self, refs: Iterable[Ref]) -> None:
        for ref in refs:
            self._parts.add((ref.scope, ref.name, ""))
            if ref.path:
                self._parts.add((ref.scope, ref.name, _first_step(ref)))

    def add_whole(self, ref: Ref) -> None:
        """Whatever becomes of any part of this object matters."""
        self._parts.add((ref.scope, ref.name, ""))
        self._parts.add((ref.scope, ref.name, _EVERY_PART))

    def __contains__(self, ref: Ref) -> bool:
        first = _first_step(ref) if ref.path else ""
        return (ref.scope, ref.name, first) in self._parts or (
            bool(first) and (ref.scope, ref.name, _EVERY_PART) in self._parts
        )


def _first_step(ref: Ref) -> str:
    # Any element of a collection may be the one that is meant.
    return "[" if ref.path[0].startswith("[") else ref.path[0]


def tracked(
    invocations: Invocations, refs: Iterable[Ref], eventful: Collection[Function]
) -> Tracked:
    """The objects a machine follows, and those that tests, loops and calls depend on.

    What the parameters of a function stand for matters only if it is `eventful`.
    """
    found = Tracked(refs)
    asked: Counter[Hashable] = Counter()
    read: dict[Hashable, set[Ref]] = {}
    for function in invocations.functions:
        contents = invocations.contents(function)
        found.add(contents.collections)
        for atom in contents.tests:
            asked[atom.key] += 1
            read.setdefault(atom.key, set()).update(atom.reads)
            if atom.once_of:
                found.add(atom.reads | atom.once_of)
        for call in contents.invocations:
            if call.function in eventful:
                for parameter, argument in call.binding:
                    found.add_whole(parameter)
                    found.add_whole(argument)
                for atom in call.asked:
                    found.add(atom.reads | atom.once_of)
    for key, times in asked.items():
        if times > 1 and key is not None:
            found.add(read[key])
    return found
