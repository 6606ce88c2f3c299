"""The keys of tests, as their functions and all that lead to these would ask them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable

from ..program import Atom, Environment, Function, Ref
from .invocations import Invocations

_MOST_KEYS = 16
"""Names that a test may have in the functions that lead to it."""


class AskedKeys:
    """What tests are called along the calls that some functions make."""

    def __init__(self, functions: Iterable[Function], invocations: Invocations) -> None:
        self._arguments: dict[Ref, list[Ref]] = {}
        """What parameters stand for at these calls."""
        for function in functions:
            for call in invocations.contents(function).invocations:
                for parameter, argument in call.binding:
                    self._arguments.setdefault(parameter, []).append(argument)
        self._known: dict[int, tuple[Atom, set[str]]] = {}

    def count(self, tests: Iterable[Atom]) -> Counter[str]:
        """How many of some tests may have each key."""
        counted: Counter[str] = Counter()
        for atom in tests:
            counted.update(self.of(atom))
        return counted

    def of(self, atom: Atom) -> Collection[str]:
        """The keys that a test may have, seen from the functions that lead to it."""
        # By identity: equal tests may name what they ask about in other ways.
        known = self._known.get(id(atom))
        if known is None:
            known = self._known[id(atom)] = atom, self._find(atom)
        return known[1]

    def _find(self, atom: Atom) -> set[str]:
        if atom.key is None:
            return set()
        seen = {atom.key}
        pending = [atom]
        while pending:
            each = pending.pop()
            for ref in each.objects:
                for cut in range(len(ref.path) + 1):
                    parameter = Ref(ref.scope, ref.name, ref.path[:cut])
                    for argument in self._arguments.get(parameter, ()):
                        outer = each.renamed(Environment({parameter: argument}))
                        if (
                            outer.key not in seen
                            and outer.key is not None
                            and len(seen) < _MOST_KEYS
                        ):
                            seen.add(outer.key)
                            pending.append(outer)
        return seen
