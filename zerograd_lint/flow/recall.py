"""What the paths from an entry point have to remember, so that they remember nothing else."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field

from ..program import Function
from .asked_keys import AskedKeys
from .facts import Assumed
from .invocations import Invocations
from .noticed import Noticed


@dataclass(frozen=True, slots=True)
class Recall:
    tests: frozenset[Hashable] = frozenset()
    """Keys of the tests asked more than once: only their answers can decide anything later."""
    scopes: frozenset[str] = frozenset()
    """Where names live that more than one function sees."""
    assumed: Assumed = field(default_factory=dict)
    """The answers that are taken for granted on all paths, by the key of the test."""
    noticed: Noticed = field(default_factory=lambda: Noticed(Invocations(())))
    """What calls could notice of the answers known before them."""


def recall(
    root: Function, invocations: Invocations, invariant: frozenset[Hashable] = frozenset()
) -> Recall:
    """What is worth remembering on the way through a function and all it invokes.

    Tests that are `invariant` have the same answer whenever a loop comes round to them.
    """
    reached = invocations.reachable(root)
    tests = (atom for function in reached for atom in invocations.contents(function).tests)
    asked = AskedKeys(reached, invocations).count(tests)
    again = {key for key, times in asked.items() if times > 1}
    return Recall(
        frozenset(again | invariant), shared_scopes(reached), noticed=Noticed(invocations)
    )


def shared_scopes(functions: Iterable[Function]) -> frozenset[str]:
    """Where names live that more than one function sees: around nested ones, and in classes."""
    scopes: set[str] = set()
    for function in functions:
        if function.owner_class is not None:
            scopes.add(function.owner_class)
        enclosing = function.enclosing
        while enclosing is not None and enclosing.scope not in scopes:
            scopes.add(enclosing.scope)
            enclosing = enclosing.enclosing
    return frozenset(scopes)
