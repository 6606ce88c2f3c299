"""How far an event reaches into an owner's gradients: all of them, none, or not known."""

from __future__ import annotations

import enum
from collections.abc import Callable, Hashable, Iterator, Set
from dataclasses import dataclass
from functools import cached_property

from ..events.event import Deposit, Escape, Event, Zero, is_by_hand
from ..program import ANY_ELEMENT, Environment, Ref
from ..vocabulary.things import Thing
from .file_facts import Identify
from .loss_origins import ValueOrigins, origins_at_entry


class Reach(enum.Enum):
    """How much of an owner's gradients an event concerns."""

    ALL = "all"
    UNSURE = "unsure"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Owner:
    """An object that holds gradient buffers: an optimizer, a module or a tensor."""

    ref: Ref
    covers: tuple[Ref, ...] | None
    """What an optimizer was built over, when known; a module or tensor covers itself."""
    thing: Thing | None
    made_separately: bool = False
    """It shares no parameters with anything, so a loss of other networks cannot reach it."""
    bare_tensor: bool = False
    """It is a tensor that no network can have among its parameters."""
    subject: Ref | None = None
    """The owner as an event refers to it, in a function that the outermost one may call."""
    frozen: bool = False
    """All that it covers is frozen, as far as is known: a backward leaves it alone."""

    def is_part_of(self, collection: Ref) -> bool:
        """Whether the owner, or something it covers, may be an element of this."""
        return any(collection.overlaps(part) for part in (self.ref, *(self.covers or ())))


class Relations:
    """Compares the subjects of events with an owner, as seen from the outermost function."""

    def __init__(
        self,
        covers: Callable[[Ref], tuple[Ref, ...] | None],
        thing: Callable[[Ref], Thing | None],
        assigned: Set[Ref],
        may_be_alias: Callable[[Ref], bool],
        may_be_one: Callable[[Ref, Ref], bool],
        made_apart: Callable[[Ref, Ref], bool],
        identity: Identify,
        is_frozen: Callable[[Ref], bool],
        value_origins: ValueOrigins,
        zeros: Callable[[], Iterator[tuple[Zero, Environment]]],
    ) -> None:
        self._covers = covers
        self._thing = thing
        self._assigned = assigned
        self._may_be_alias = may_be_alias
        self._may_be_one = may_be_one
        self._made_apart = made_apart
        self._identity = identity
        self._is_frozen = is_frozen
        self._value_origins = value_origins
        self._zeros = zeros

    def owner(self, subject: Ref, environment: Environment) -> Owner:
        """The owner that a subject stands for."""
        ref = environment.resolve(subject)
        covered = self._covers(subject)
        if covered is None and ref != subject:
            covered = self._covers(ref)
        separate = all(map(self._value_origins.is_made_separately, covered or (subject,)))
        if covered is not None:
            covered = tuple(environment.resolve(part) for part in covered)
        thing = self._thing(subject)
        if thing is None:
            thing = self._thing(ref)
        if thing is not Thing.OPTIMIZER:
            covered = (ref,)
        bare_tensor = self._value_origins.is_bare_tensor(subject)
        frozen = bool(covered) and all(map(self._is_frozen, covered or ()))
        return Owner(ref, covered, thing, separate, bare_tensor, subject, frozen)

    def touches(self, event: Event, environment: Environment, owner: Owner) -> Reach:
        """How far an event reaches into an owner's buffers."""
        if isinstance(event, Deposit):
            return self._deposit(event, environment, owner)
        if event.subject is None:
            return Reach.UNSURE
        actor = self.owner(event.subject, environment)
        if actor.ref.contains(owner.ref):
            return Reach.ALL
        if owner.ref.contains(actor.ref):
            return Reach.UNSURE
        reach = self._of_actor(event, actor, owner)
        # A member of a list or table may be the owner itself, whatever it is taken for.
        is_unsure = reach is Reach.NONE and self._may_be_one(actor.ref, owner.ref)
        return Reach.UNSURE if is_unsure else reach

    def _of_actor(self, event: Event, actor: Owner, owner: Owner) -> Reach:
        if isinstance(event, Escape) and actor.thing is not Thing.OPTIMIZER:
            return self._escaped(actor, owner)
        reach = self._compare(actor.covers, owner.covers, actor, owner)
        if isinstance(event, Zero) and event.of_window and owner.covers is None:
            return Reach.ALL  # whoever steps in the window of a module owns it
        if isinstance(event, Zero) and reach is Reach.UNSURE:
            if self._never_cleared(owner) or self._is_no_parameter(event, owner):
                return Reach.NONE
        if is_by_hand(event) and reach is Reach.NONE and ANY_ELEMENT in actor.ref.path:
            return Reach.UNSURE  # the owner's tensors may be among them
        return reach

    def _is_no_parameter(self, zero: Zero, owner: Owner) -> bool:
        """A network clears its parameters, and a tensor of one's own is not among them."""
        return zero.of_module and owner.bare_tensor

    def _never_cleared(self, owner: Owner) -> bool:
        """No zeroing reaches some part of the owner that was made in this file."""
        cleared = self._cleared
        return cleared is not None and any(
            self._value_origins.is_made_separately(part)
            and all(self._distinct(part, other) and not part.overlaps(other) for other in cleared)
            for part in owner.covers or ()
        )

    @cached_property
    def _cleared(self) -> list[Ref] | None:
        """What zeroings of the file clear; None if that is not known of one of them."""
        cleared: list[Ref] = []
        for zero, environment in self._zeros():
            covers = self.owner(zero.subject, environment).covers if zero.subject else None
            if covers is None:
                return None
            cleared += covers
        return cleared

    def _deposit(self, event: Deposit, environment: Environment, owner: Owner) -> Reach:
        if owner.frozen:
            return Reach.UNSURE
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

    def _comes_from_elsewhere(self, event: Deposit, environment: Environment, owner: Owner) -> bool:
        """The loss was computed with other networks only, all of them known."""
        if owner.covers is None or not owner.made_separately:
            return False
        origins = origins_at_entry(event.origins, environment, self._value_origins)
        return origins is not None and not any(
            origin.overlaps(part) for origin in origins for part in owner.covers
        )

    def _escaped(self, actor: Owner, owner: Owner) -> Reach:
        """How far unread code reaches into the owner's gradients through what it was given."""
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
        wholes, parts = acted_on or (actor.ref,), owned or (owner.ref,)
        if all(any(whole.contains(part) for whole in wholes) for part in parts):
            return Reach.ALL
        if any(whole.overlaps(part) for whole in wholes for part in parts):
            return Reach.UNSURE
        if acted_on is None or owned is None:
            both = actor.thing is Thing.OPTIMIZER and owner.thing is Thing.OPTIMIZER
            apart = both and self._distinct(actor.ref, owner.ref) and self._is_known(actor)
            return Reach.NONE if apart or self._is_older(actor, owner) else Reach.UNSURE
        if self._is_older(actor, owner) or self._is_older(owner, actor):
            return Reach.NONE
        if all(self._distinct(one, other) for one in acted_on for other in owned):
            return Reach.NONE
        return Reach.UNSURE

    def _is_known(self, actor: Owner) -> bool:
        """Whether it is no wrapper of unread code, which may clear what it was given."""
        return bool(self._identity(actor.ref, Thing.OPTIMIZER))

    def _is_older(self, actor: Owner, owner: Owner) -> bool:
        """An optimizer that was passed in, or that `__init__` has made, cannot own what is made
        after that."""
        values = self._value_origins
        if actor.thing is not Thing.OPTIMIZER:
            return False
        if owner.thing is Thing.OPTIMIZER:
            optimizer = actor.subject or actor.ref
            return bool(owner.covers) and all(
                values.is_older(optimizer, part) for part in owner.covers or ()
            )
        return (
            actor.ref.scope == owner.ref.scope
            and values.is_parameter(actor.ref)
            and actor.ref not in self._assigned
            and values.is_constructed_locally(owner.ref)
        )

    def _distinct(self, one: Ref, other: Ref) -> bool:
        """Whether two references stand for two objects.

        Two names of one scope do, unless one is an attribute that this file never sets, which may
        be a property of a base class, or one that an object was given, which may be the other. So
        do two that are made where they belong.
        """
        if one.scope != other.scope:
            local = all(map(self._value_origins.is_constructed_locally, (one, other)))
            return local or self._made_apart(one, other)
        return self._is_own(one) and self._is_own(other) and not self._may_be_one(one, other)

    def _is_own(self, ref: Ref) -> bool:
        if ref.name != "self" or not ref.path:
            return not self._may_be_alias(ref)
        return any(
            Ref(ref.scope, ref.name, ref.path[:end]) in self._assigned
            for end in range(1, len(ref.path) + 1)
        )


class OwnerReach:
    """How far events reach into the gradients of one owner, each worked out once."""

    def __init__(self, owner: Owner, relations: Relations) -> None:
        self.owner = owner
        self._relations = relations
        self._known: dict[tuple[Event, Hashable], Reach] = {}

    def of(self, event: Event, environment: Environment) -> Reach:
        """How far an event reaches into the owner's gradients."""
        key = (event, environment.key)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._relations.touches(event, environment, self.owner)
        return known
