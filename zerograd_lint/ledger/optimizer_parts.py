"""Optimizers over several networks, of which others apply or clear some alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from ..events.event import Consume, Event, Zero
from ..program import Environment
from ..vocabulary.things import Thing
from .account import Account
from .reach import Owner, OwnerReach, Reach

_MOST_PARTS = 4


def parts_touched(
    account: Account, reach: OwnerReach, seen: Mapping[Event, Environment]
) -> Iterator[Owner]:
    """An owner reduced to each of its parts, where it is not known to be wrong as a whole, and a
    step of another optimizer reaches into some of them."""
    owner = reach.owner
    several = owner.covers is not None and 1 < len(owner.covers) <= _MOST_PARTS
    if owner.thing is not Thing.OPTIMIZER or not several or account.stale:
        return
    partly = {
        type(event)
        for event, environment in seen.items()
        if isinstance(event, Consume | Zero) and reach.of(event, environment) is Reach.UNSURE
    }
    if Consume in partly:
        for part in owner.covers or ():
            yield replace(owner, covers=(part,))
