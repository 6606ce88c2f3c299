"""References: objects by name, and what parameters stand for along a chain of calls."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .conditions import Condition

ANY_ELEMENT = "[*]"


class Ref(NamedTuple):
    """An object named by where its root lives and how it is reached: `self.nets["g"]`."""

    scope: str
    name: str
    path: tuple[str, ...] = ()

    def child(self, step: str) -> Ref:
        """A part of this object: an attribute, or an element such as `['g']`."""
        return Ref(self.scope, self.name, (*self.path, step))

    @property
    def root(self) -> Ref:
        """The object that the first name stands for: `self` of `self.nets['g']`."""
        return Ref(self.scope, self.name) if self.path else self

    @property
    def wholes(self) -> list[Ref]:
        """What this is a part of, outermost first: `net`, `net.body` of `net.body.weight`."""
        return [Ref(self.scope, self.name, self.path[:end]) for end in range(len(self.path))]

    def contains(self, other: Ref) -> bool:
        """Whether `other` is this object or a part of it."""
        if self.scope != other.scope or self.name != other.name:
            return False
        if len(self.path) > len(other.path):
            return False
        return all(
            _matches(mine, theirs) for mine, theirs in zip(self.path, other.path, strict=False)
        )

    def overlaps(self, other: Ref) -> bool:
        """Whether one of the two objects is the other or a part of it."""
        return self.contains(other) or other.contains(self)

    def __str__(self) -> str:
        text = self.name
        for step in self.path:
            text += step if step.startswith("[") else f".{step}"
        return text


def _matches(mine: str, theirs: str) -> bool:
    return mine == theirs or (mine == ANY_ELEMENT and theirs.startswith("["))


class Environment:
    """What the parameters of the functions being followed stand for in the outermost one."""

    __slots__ = ("_bound", "_resolved", "asked", "key", "tests")

    def __init__(
        self,
        bound: dict[Ref, Ref] | None = None,
        tests: Mapping[Ref, Condition] | None = None,
    ) -> None:
        self._bound = bound or {}
        self._resolved: dict[Ref, Ref] = {}
        self.tests: Mapping[Ref, Condition] = tests or {}
        """The tests that parameters stand for, as the outermost function would ask them."""
        self.key: frozenset[Hashable] = frozenset((*self._bound.items(), *self.tests.items()))
        self.asked: dict[int, Condition] = {}
        """Tests that were asked inside, by identity, as the outermost function would ask them."""

    @property
    def arguments(self) -> Iterable[Ref]:
        """The objects that parameters stand for."""
        return self._bound.values()

    def resolve(self, ref: Ref) -> Ref:
        """The object a reference stands for in the outermost function."""
        if not self._bound:
            return ref
        known = self._resolved.get(ref)
        if known is None:
            known = self._resolved[ref] = self._resolve(ref)
        return known

    def _resolve(self, ref: Ref) -> Ref:
        bound = self._bound
        for cut in range(len(ref.path), -1, -1):
            target = bound.get(Ref(ref.scope, ref.name, ref.path[:cut]))
            if target is not None:
                return Ref(target.scope, target.name, (*target.path, *ref.path[cut:]))
        return ref

    def within(
        self,
        binding: Iterable[tuple[Ref, Ref]],
        shared: frozenset[str],
        tests: Mapping[Ref, Condition],
    ) -> Environment:
        """The environment inside a call; of the caller's, it keeps what is in `shared` scopes."""
        bound = {name: target for name, target in self._bound.items() if name.scope in shared}
        for parameter, argument in binding:
            resolved = self.resolve(argument)
            if resolved != parameter:
                bound[parameter] = resolved
        kept = {name: test for name, test in self.tests.items() if name.scope in shared}
        return Environment(bound, {**kept, **tests})
