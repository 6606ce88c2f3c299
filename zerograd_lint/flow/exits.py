"""Where the paths through a block have gone: to its end, or away from it by a jump."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic

from ..program import Block, Environment, JumpKind
from .machine import State
from .paths import Paths


@dataclass(slots=True)
class Exits(Generic[State]):
    """The paths that reached the end of a block, and those that jumped out of it."""

    normal: Paths[State] = frozenset()
    jumps: dict[JumpKind, Paths[State]] = field(default_factory=dict)

    def add(self, kind: JumpKind, paths: Paths[State]) -> None:
        if paths and kind is not JumpKind.NEVER:
            self.jumps[kind] = self.jumps.get(kind, frozenset()) | paths

    def take(self, kind: JumpKind) -> Paths[State]:
        """The paths that jumped in this way, which end here."""
        return self.jumps.pop(kind, frozenset())

    def absorb(self, other: Exits[State]) -> Paths[State]:
        """Adopt the other's jumps and return its normal paths."""
        if other.jumps:
            for kind, paths in other.jumps.items():
                self.add(kind, paths)
        return other.normal


Run = Callable[[Block, Paths[State], Environment], Exits[State]]
"""Follows paths through a block: loops, calls and the like need it for the blocks in them."""
