"""Which values of a name are alternatives, of which each may be its value in some run.

Values that the arms of an `if` assign are alternatives: the settings of a run choose between them.
A value that a later one replaces in every run is not one of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from ..scopes.scope import Arm, Value


def generations(values: Sequence[Value]) -> list[list[Value]]:
    """Values in the order of assignment, alternatives together.

    Values that different functions assign, or that loops stand between, are kept apart: which of
    them is meant where is not known.
    """
    found: list[list[Value]] = []
    for _, together in groupby(values, lambda value: (value.scope.id, value.turns.loops)):
        left = list(together)
        while left:
            last = [v for n, v in enumerate(left) if not _is_replaced(v, left[n + 1 :])]
            found.append(last)
            left = [value for value in left if value not in last]
    return found


def _is_replaced(value: Value, later: Sequence[Value]) -> bool:
    """Whether every run that assigns a value assigns one of the later ones, too."""
    arms = value.turns.arms
    return any(is_sure(later, arms[:cut]) for cut in range(len(arms) + 1))


def is_sure(values: Sequence[Value], arms: tuple[Arm, ...] = ()) -> bool:
    """Whether every run, or every one that goes a way, assigns one of the values."""
    inside = [value for value in values if value.turns.arms[: len(arms)] == arms]
    if any(value.turns.arms == arms for value in inside):
        return True
    deeper = sorted({value.turns.arms[len(arms)] for value in inside})
    for _, ways in groupby(deeper, lambda arm: arm.fork):
        taken = [way for way in ways if way.ways and is_sure(inside, (*arms, way))]
        if taken and len(taken) == taken[0].ways:
            return True
    return False
