"""The guards of an event that several ways lead to: calls of its function in several branches."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import combinations

from ..events.site import Guard
from ..program import Both, Condition, Constant, Not, either

Guards = tuple[Guard, ...]
_MOST_WAYS = 16


def guards_of_all(ways: Sequence[Guards]) -> Guards | None:
    """What has to hold for one of several ways to be taken; None if that cannot be told.

    A call in a branch and one in its opposite make up for each other: that test decides nothing.
    """
    different = list(dict.fromkeys(ways))
    if len(different) > _MOST_WAYS:
        return None
    rest = _without_opposites(different)
    if len(rest) == 1:
        return rest[0]
    before = _shared(rest)
    after = _shared([guards[len(before) :][::-1] for guards in rest])[::-1]
    between = [guards[len(before) : len(guards) - len(after)] for guards in rest]
    if any(not own or any(g.periodic or g.inverted for g in own) for own in between):
        return None
    one_of_them = reduce(either, map(_all_of, between))
    return (*before, Guard(one_of_them, True, periodic=False, inverted=False), *after)


def _without_opposites(ways: list[Guards]) -> list[Guards]:
    """The same ways, with two that differ in the answer to one test made one."""
    for one, other in combinations(ways, 2):
        apart = [i for i, (mine, its) in enumerate(zip(one, other, strict=False)) if mine != its]
        if len(one) == len(other) and len(apart) == 1:
            at = apart[0]
            if one[at].test == other[at].test:
                merged = (*one[:at], *one[at + 1 :])
                others = [way for way in ways if way not in (one, other)]
                return _without_opposites(list(dict.fromkeys([merged, *others])))
    return ways


def _shared(ways: Sequence[Guards]) -> Guards:
    """The guards that all ways begin with."""
    found: list[Guard] = []
    for guards in zip(*ways, strict=False):
        if any(guard != guards[0] for guard in guards):
            break
        found.append(guards[0])
    return tuple(found)


def _all_of(guards: Guards) -> Condition:
    conditions = [guard.test if guard.taken else Not(guard.test) for guard in guards]
    return reduce(Both, conditions) if conditions else Constant(True)
