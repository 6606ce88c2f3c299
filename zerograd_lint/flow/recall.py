"""What the paths from an entry point have to remember, so that they remember nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from ..program import Atom, Environment, Function, Ref
from .invocations import Invocations
from .paths import Assumed

_MOST_KEYS = 16
"""Names that a test may have in the functions that lead to it."""


@dataclass(frozen=True, slots=True)
class Recall:
    tests: frozenset[Hashable] = frozenset()
    """Keys of the tests asked more than once: only their answers can decide anything later."""
    scopes: frozenset[str] = frozenset()
    """Where names live that more than one function sees."""
    assumed: Assumed = field(default_factory=dict)
    """The answers that are taken for granted on all paths, by the key of the test."""


def recall(
    root: Function, invocations: Invocations, invariant: frozenset[Hashable] = frozenset()
) -> Recall:
    """What is worth remembering on the way through a function and all it invokes.

    Tests that are `invariant` have the same answer whenever a loop comes round to them.
    """
    reached = invocations.reachable(root)
    arguments = _arguments(reached, invocations)
    asked: Counter[Hashable] = Counter()
    for function in reached:
        for atom in invocations.contents(function).tests:
            asked.update(_keys(atom, arguments))
    tests = {key for key, times in asked.items() if times > 1}
    calls = (call for f in reached for call in invocations.contents(f).invocations)
    # A callee may ask more than once what its parameter stands for.
    tests.update(key for call in calls for atom in call.asked for key in _keys(atom, arguments))
    return Recall(frozenset(tests | invariant), shared_scopes(reached))


def _arguments(functions: Iterable[Function], invocations: Invocations) -> dict[Ref, list[Ref]]:
    """What parameters stand for at the calls of some functions."""
    given: dict[Ref, list[Ref]] = {}
    for function in functions:
        for call in invocations.contents(function).invocations:
            for parameter, argument in call.binding:
                given.setdefault(parameter, []).append(argument)
    return given


def _keys(atom: Atom, arguments: Mapping[Ref, list[Ref]]) -> Iterator[str]:
    """The keys that a test may have, seen from the functions that lead to it."""
    if atom.key is None:
        return
    seen = {atom.key}
    pending = [atom]
    while pending:
        each = pending.pop()
        assert each.key is not None
        yield each.key
        for ref in (piece for piece in each.pieces if isinstance(piece, Ref)):
            for cut in range(len(ref.path) + 1):
                parameter = Ref(ref.scope, ref.name, ref.path[:cut])
                for argument in arguments.get(parameter, ()):
                    outer = each.renamed(Environment({parameter: argument}))
                    if outer.key not in seen and outer.key is not None and len(seen) < _MOST_KEYS:
                        seen.add(outer.key)
                        pending.append(outer)


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
