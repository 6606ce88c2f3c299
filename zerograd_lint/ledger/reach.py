"""Whose gradients an event touches: all of an owner's, none, or one cannot tell."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from ..events.event import Event, Kind
from ..events.objects.provenance import Provenance
from ..program import ANY_ELEMENT, Environment, Ref
from ..vocabulary.things import Thing


class Reach(enum.Enum):
    ALL = "all"
    UNSURE = "unsure"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Owner:
    """Whoever holds gradient buffers: an optimizer, a module or a tensor."""

    ref: Ref
    covers: tuple[Ref, ...] | None
    """What an optimizer was built over, when known; a module or tensor covers itself."""
    thing: Thing | None
    made_alone: bool = False
    """Each part of it was made for itself, so a loss of other networks cannot reach it."""


class Relations:
    """Compares the subjects of events with an owner, as seen from the outermost function."""

    def __init__(
        self,
        covers: Mapping[Ref, tuple[Ref, ...] | None],
        things: Mapping[Ref, Thing | None],
        assigned: Set[Ref],
        provenance: Provenance,
        zeros: Sequence[tuple[Event, Environment]],
    ) -> None:
        self._covers = covers
        self._things = things
        self._assigned = assigned
        self._provenance = provenance
        self._zeros = zeros

    def owner(self, subject: Ref, environment: Environment) -> Owner:
        ref = environment.resolve(subject)
        covered = self._covers.get(subject)
        if covered is None and ref != subject:
            covered = self._covers.get(ref)
        alone = all(map(self._provenance.stands_alone, covered or (subject,)))
        if covered is not None:
            covered = tuple(environment.resolve(part) for part in covered)
        thing = self._things.get(subject)
        if thing is None:
            thing = self._things.get(ref)
        if thing is not Thing.OPTIMIZER:
            covered = (ref,)
        return Owner(ref, covered, thing, alone)

    def touches(self, event: Event, environment: Environment, owner: Owner) -> Reach:
        """How far an event reaches into an owner's buffers."""
        if event.kind is Kind.DEPOSIT:
            return self._deposit(event, environment, owner)
        if event.subject is None:
            return Reach.UNSURE
        actor = self.owner(event.subject, environment)
        if actor.ref.contains(owner.ref):
            return Reach.ALL
        if owner.ref.contains(actor.ref):
            return Reach.UNSURE
        if event.kind is Kind.ESCAPE and actor.thing is not Thing.OPTIMIZER:
            return self._escaped(actor, owner)
        reach = self._compare(actor.covers, owner.covers, actor, owner)
        if event.kind is Kind.ZERO and reach is Reach.UNSURE and self._never_cleared(owner):
            return Reach.NONE
        if event.by_hand and reach is Reach.NONE and ANY_ELEMENT in actor.ref.path:
            return Reach.UNSURE  # tensors of a collection that may be anybody's
        return reach

    def _never_cleared(self, owner: Owner) -> bool:
        """Some part of the owner, made in this file, no zeroing reaches: enough to go wrong."""
        cleared: list[Ref] = []
        for zero, environment in self._zeros:
            covers = self.owner(zero.subject, environment).covers if zero.subject else None
            if covers is None:
                return False
            cleared += covers
        return any(
            self._provenance.stands_alone(part)
            and all(self._distinct(part, other) and not part.overlaps(other) for other in cleared)
            for part in owner.covers or ()
        )

    def _deposit(self, event: Event, environment: Environment, owner: Owner) -> Reach:
        if event.inputs is None:
            apart = self._comes_from_elsewhere(event, environment, owner)
            return Reach.NONE if apart else Reach.ALL
        targets = [environment.resolve(ref) for ref in event.inputs]
        parts = owner.covers or (owner.ref,)
        if any(target.overlaps(part) for target in targets for part in parts):
            return Reach.ALL
        if owner.covers is None or any(ANY_ELEMENT in target.path for target in targets):
            return Reach.UNSURE
        return Reach.NONE

    def _comes_from_elsewhere(self, event: Event, environment: Environment, owner: Owner) -> bool:
        """The loss was computed with other networks only, all of them known."""
        if owner.covers is None or not owner.made_alone:
            return False
        origins = self._provenance.seen_from(event.origins, environment)
        return origins is not None and not any(
            origin.overlaps(part) for origin in origins for part in owner.covers
        )

    def _escaped(self, actor: Owner, owner: Owner) -> Reach:
        """Unseen code got hold of something: does that give it a way to the owner's gradients?"""
        if owner.covers is not None and any(actor.ref.overlaps(part) for part in owner.covers):
            return Reach.UNSURE
        if actor.thing is not Thing.MODULE:
            return Reach.NONE
        return self._compare((actor.ref,), owner.covers, actor, owner)

    def _compare(
        self,
        acted_on: tuple[Ref, ...] | None,
        owned: tuple[Ref, ...] | None,
        actor: Owner,
        owner: Owner,
    ) -> Reach:
        if acted_on is None or owned is None:
            both = actor.thing is Thing.OPTIMIZER and owner.thing is Thing.OPTIMIZER
            return Reach.NONE if both and self._distinct(actor.ref, owner.ref) else Reach.UNSURE
        if all(any(whole.contains(part) for whole in acted_on) for part in owned):
            return Reach.ALL
        if any(whole.overlaps(part) for whole in acted_on for part in owned):
            return Reach.UNSURE
        if all(self._distinct(one, other) for one in acted_on for other in owned):
            return Reach.NONE
        return Reach.UNSURE

    def _distinct(self, one: Ref, other: Ref) -> bool:
        """Names of one scope: were they the same object, the code would have said so.

        Unless one is an attribute that this file never sets: it may be a property of a base.
        """
        return one.scope == other.scope and self._is_own(one) and self._is_own(other)

    def _is_own(self, ref: Ref) -> bool:
        if ref.name != "self" or not ref.path:
            return True
        return any(
            Ref(ref.scope, ref.name, ref.path[:end]) in self._assigned
            for end in range(1, len(ref.path) + 1)
        )
