"""Which of the answers known before a call the functions that it runs could notice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Set
from itertools import chain
from typing import NamedTuple

from ..program import Atom, Environment, Function, Ref, atoms
from .facts import Facts
from .invocations import Invocations
from .memo import Memo

_Part = tuple[str, str, str]
"""An object, by the scope and the first name of a reference, and the part of it that is meant."""
_WHOLE = ""
_ANY_PART = "*"


class _Mentioned(NamedTuple):
    """What a function mentions, with all that it may invoke."""

    parts: frozenset[_Part]
    """What it asks about, gives another value to, or hands on."""
    scopes: Set[str]
    """Where its own names live: what is known of them is dropped when it has been left."""
    handles: bool
    """It has a handler, which relies on no answer given before."""


class Noticed:
    """What calls could notice of the answers known before them.

    All others hold behind a call as they did before it, so the call need not be followed anew
    for every combination of them.
    """

    def __init__(self, invocations: Invocations) -> None:
        self._invocations = invocations
        self._known: dict[Function, _Mentioned] = {}

    def by(self, function: Function, environment: Environment) -> Callable[[Facts], Facts]:
        """Picks out the answers that a function could ask for again, or make void."""
        inside = self._mentioned(function)
        given = (atom for test in environment.tests.values() for atom in atoms(test))
        parts = inside.parts.union(_mentions(chain(environment.arguments, _read(given))))

        def may_notice(atom: Atom) -> bool:
            if inside.handles or next(atom.objects, None) is None:
                return True  # without an object, nothing tells where the same is asked
            if any(ref.scope in inside.scopes for ref in atom.reads):
                return True
            return not parts.isdisjoint(_overlaps(_read([atom])))

        noticed = Memo(may_notice)
        return lambda facts: frozenset([fact for fact in facts if noticed[fact[0]]])

    def _mentioned(self, function: Function) -> _Mentioned:
        known = self._known.get(function)
        if known is None:
            reached = self._invocations.reachable(function)
            refs = chain.from_iterable(map(self._refs_in, reached))
            scopes = {each.scope for each in reached}
            handles = any(self._invocations.contents(each).handles for each in reached)
            known = self._known[function] = _Mentioned(frozenset(_mentions(refs)), scopes, handles)
        return known

    def _refs_in(self, function: Function) -> Iterator[Ref]:
        contents = self._invocations.contents(function)
        arguments = (argument for call in contents.invocations for _, argument in call.binding)
        return chain(contents.rebound, arguments, _read(contents.tests))


def _read(tests: Iterable[Atom]) -> Iterator[Ref]:
    for atom in tests:
        yield from atom.reads
        yield from atom.objects


def _mentions(refs: Iterable[Ref]) -> Iterator[_Part]:
    for ref in refs:
        yield (ref.scope, ref.name, _first_part(ref))
        yield (ref.scope, ref.name, _ANY_PART)


def _overlaps(refs: Iterable[Ref]) -> Iterator[_Part]:
    """The mentions that could be of one of these objects, of a part of it, or of what it is in."""
    for ref in refs:
        yield (ref.scope, ref.name, _WHOLE)
        yield (ref.scope, ref.name, _first_part(ref) or _ANY_PART)


def _first_part(ref: Ref) -> str:
    if not ref.path:
        return _WHOLE
    # Any element of a collection may be the one that is meant.
    return "[" if ref.path[0].startswith("[") else ref.path[0]
