"""The objects whose rebinding can change anything on some path."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..program import Ref

_EVERY_PART = "*"


class Tracked:
    """A set of objects, in which an element of a collection stands for all of them.

    What a parameter stands for is in it along with the parameter, and the other way round.
    """

    def __init__(self, refs: Iterable[Ref], bindings: Sequence[tuple[Ref, Ref]] = ()) -> None:
        self._parts: set[tuple[str, str, str]] = set()
        self._bindings = bindings
        """The parameters of functions, and what they stand for where these are invoked."""
        self.add(refs)

    def add(self, refs: Iterable[Ref]) -> bool:
        """Track these objects, too; whether that is new of any of them."""
        before = len(self._parts)
        for ref in refs:
            self._parts.add((ref.scope, ref.name, ""))
            if ref.path:
                self._parts.add((ref.scope, ref.name, _first_step(ref)))
        found = len(self._parts)
        if found == before:
            return False
        while True:
            for parameter, argument in self._bindings:
                if parameter in self or argument in self:
                    self._add_whole(parameter)
                    self._add_whole(argument)
            if len(self._parts) == found:
                return True
            found = len(self._parts)

    def _add_whole(self, ref: Ref) -> None:
        """Whatever becomes of any part of this object matters."""
        self._parts.add((ref.scope, ref.name, ""))
        self._parts.add((ref.scope, ref.name, _first_step(ref) if ref.path else _EVERY_PART))

    def __contains__(self, ref: Ref) -> bool:
        first = _first_step(ref) if ref.path else ""
        return (ref.scope, ref.name, first) in self._parts or (
            bool(first) and (ref.scope, ref.name, _EVERY_PART) in self._parts
        )


def _first_step(ref: Ref) -> str:
    # Any element of a collection may be the one that is meant.
    return "[" if ref.path[0].startswith("[") else ref.path[0]
