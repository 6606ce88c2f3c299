"""Which functions of a program may invoke which, directly or through others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from functools import cached_property

from ..program import Function, Ref
from .contents import Contents, contents


class Invocations:
    """The functions of a program as they are now, with their contents and their callees."""

    def __init__(self, functions: Sequence[Function]) -> None:
        self.functions = functions
        self._contents = {function: contents(function) for function in functions}

    def contents(self, function: Function) -> Contents:
        known = self._contents.get(function)
        if known is None:
            known = self._contents[function] = contents(function)
        return known

    def callees(self, function: Function) -> Iterator[Function]:
        """The functions that a function invokes itself, in order; repeated calls repeat them."""
        return (call.function for call in self.contents(function).invocations)

    def reachable(self, *roots: Function) -> list[Function]:
        """These functions and all they may invoke, each once."""
        seen = set(roots)
        pending = list(roots)
        found = []
        while pending:
            function = pending.pop()
            found.append(function)
            for callee in self.callees(function):
                if callee not in seen:
                    seen.add(callee)
                    pending.append(callee)
        return found

    def with_callers(self, functions: Iterable[Function]) -> set[Function]:
        """These functions and all that may invoke one of them."""
        found = set(functions)
        pending = list(found)
        while pending:
            for caller in self._callers.get(pending.pop(), ()):
                if caller not in found:
                    found.add(caller)
                    pending.append(caller)
        return found

    @cached_property
    def _callers(self) -> dict[Function, list[Function]]:
        callers: dict[Function, list[Function]] = {}
        for caller in self.functions:
            for callee in self.callees(caller):
                callers.setdefault(callee, []).append(caller)
        return callers

    @cached_property
    def changed_for_others(self) -> dict[Ref, list[tuple[Function, Ref]]]:
        """What functions change that is not their own, by its first name; constructors apart."""
        changed: dict[Ref, list[tuple[Function, Ref]]] = {}
        for function in self.functions:
            if function.name != "__init__" and function.scope:
                for ref in self.contents(function).rebound:
                    if ref.scope != function.scope:
                        changed.setdefault(ref.root, []).append((function, ref))
        return changed

    def entry_points(self, candidates: Set[Function]) -> dict[Function, list[Function]]:
        """Where among these functions a run may begin, with all it may reach from there.

        These are the functions that no other one invokes, then those of each circle of calls
        that is reached from nowhere else.
        """
        own = [function for function in self.functions if function in candidates]
        followed = self.reachable(*own)
        invoked = {callee for function in followed for callee in self.callees(function)}
        entries = {f: self.reachable(f) for f in own if f not in invoked}
        covered = {function for reached in entries.values() for function in reached}
        for function in own:
            if function not in covered:
                entries[function] = self.reachable(function)
                covered.update(entries[function])
        return entries
