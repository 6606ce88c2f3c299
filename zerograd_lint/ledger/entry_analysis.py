"""Run the automata through one entry point, owner by owner."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial

from ..argument import Answer
from ..events.event import (
    Consume,
    Deposit,
    Escape,
    Event,
    HandOver,
    NewPart,
    Share,
    UnreadCall,
    Update,
    Zero,
    needs_buffer,
    scaler_of,
)
from ..flow.facts import Assumed
from ..program import Environment, Function, Ref
from ..vocabulary.things import Thing
from .account import Account, Clearing, Surroundings
from .automata.balance import Balance, Status
from .automata.balance_log import BalanceLog
from .automata.loss_scale import ScalerLog, ScaleState
from .automata.ownership import Ownership, OwnershipLog
from .automata.presence import Buffer, Presence, PresenceLog
from .automata.shared_buffers import SharedLog, SharedState
from .clip_history import ClipHistory, clip_history
from .entries import EntryPoint
from .file_facts import FileFacts
from .following import Following
from .optimizer_parts import parts_touched
from .order import Order
from .places import Places
from .reach import Owner, OwnerReach, Reach, Relations
from .run_configuration import RunConfiguration
from .zeroings import Zeroings, ZerosByScope


class EntryAnalysis:
    """The accounts and logs of the owners that one entry point works on."""

    def __init__(
        self,
        entry: EntryPoint,
        places: Places,
        following: Following,
        zeroings: Zeroings,
    ) -> None:
        self._entry = entry
        self._places = places
        self._following = following
        self._zeroings = zeroings
        self._order = Order(entry.events)
        self.accounts: list[Account] = []
        self.parts: list[Account] = []
        """Those of parts of what an optimizer covers, where only these are stale."""
        self.scalers: list[ScalerLog] = []
        self.shared: list[SharedLog] = []
        self._everything: Mapping[Event, Environment] = {}
        """All events that it may run, whatever is assumed."""
        self.buffers: list[PresenceLog] = []
        self._configuration: RunConfiguration | None = None
        """Of one configuration, only those questions are asked that it may answer anew."""
        self._follows_scalers = True

    def within(self, configuration: RunConfiguration, *, whole_is_known: bool) -> EntryAnalysis:
        """An analysis of the same entry point in one configuration."""
        following = self._following.assuming(configuration.answers)
        inside = EntryAnalysis(self._entry, self._places, following, self._zeroings)
        inside._everything = self._everything
        inside._configuration = configuration
        inside._follows_scalers = not whole_is_known or self._scalers_may_be_wrong()
        return inside

    def tests_asked(self) -> set[str]:
        """The keys of the tests whose answers paths remember."""
        return self._following.tests()

    def events_within(self, assumed: Assumed) -> frozenset[Event]:
        """The events that it runs in one configuration."""
        return frozenset(self._following.assuming(assumed).exact_census(self._entry.root))

    def may_differ(self, assumed: Assumed) -> bool:
        """Whether something is wrong on some path, and may or may not be so in a configuration."""
        return not self._following.asked.isdisjoint(assumed) and self._may_be_wrong()

    def _may_be_wrong(self) -> bool:
        return self._scalers_may_be_wrong() or any(
            balance.status in (Status.STALE, Status.WIPED)
            for account in self.accounts
            for balances in account.arrivals.values()
            for balance in balances
        )

    def _scalers_may_be_wrong(self) -> bool:
        return any(log.may_be_wrong() for log in self.scalers)

    def run(self, facts: FileFacts) -> None:
        """Follow every owner; what was found before a `BudgetSpent` is kept."""
        seen = self._seen()
        relations = self._relations(facts, seen)
        scalers = {
            environment.resolve(scaler)
            for event, environment in seen.items()
            if (scaler := scaler_of(event)) is not None
        }
        if self._configuration is not None:
            scalers = self._configuration.scalers_on(scalers, facts.scales_always)
        for owner in _owners(seen, relations, lambda event: isinstance(event, Consume)):
            reach = OwnerReach(owner, relations)
            called_again = self._entry.called_again(owner.ref, facts)
            start = self._entry.again() if called_again else self._entry.root
            counted = self._entry.counts_calls(owner.ref, self._places)
            windows = self._entry.again() if counted else start
            account = self._account(reach, windows, called_again, seen)
            self.accounts.append(account)
            for part in parts_touched(account, reach, seen) if self._configuration is None else ():
                found = self._account(OwnerReach(part, relations), windows, called_again, seen)
                self.parts += [found] if found.stale else []
            if scalers and self._follows_scalers:
                # What updates the scaler in some calls does so in none of the others.
                counted = counted and any(isinstance(event, Update) for event in seen)
                switches = facts.scaler_switches
                make = partial(ScalerLog, reach, self._places, scalers, counted, switches)
                self._keep_scaler_log(windows if counted else start, make)
        if self._configuration is not None:
            return
        for owner in _owners(seen, relations, lambda event: isinstance(event, Share)):
            reach = OwnerReach(owner, relations)
            called_again = self._entry.called_again(owner.ref, facts)
            self._keep_shared_log(reach, self._entry.again() if called_again else self._entry.root)

    def run_buffers(self, facts: FileFacts) -> None:
        """Follow every owner whose buffers have to be there."""
        seen = self._seen()
        relations = self._relations(facts, seen)
        for owner in _owners(seen, relations, needs_buffer):
            self._keep_presence_log(OwnerReach(owner, relations), facts)

    def _seen(self) -> Mapping[Event, Environment]:
        """The events that it may run under what is assumed."""
        seen = self._following.census(self._entry.root)
        if not self._everything:
            anything = self._following.assuming_nothing()
            self._everything = anything.census(self._entry.root) if anything else seen
        return seen

    def _relations(self, facts: FileFacts, seen: Mapping[Event, Environment]) -> Relations:
        subjects = {event.subject for event in seen if event.subject is not None}
        cleared = self._zeroings.things
        things = {ref: facts.thing(ref) for ref in subjects if ref not in cleared}

        def thing(ref: Ref) -> Thing | None:
            return things[ref] if ref in things else cleared.get(ref)

        def zeros() -> Iterator[tuple[Zero, Environment]]:
            return ((zero, seen.get(zero, Environment())) for zero in self._zeroings.called)

        return Relations(
            facts.covers,
            thing,
            facts.assigned,
            facts.may_be_alias,
            facts.may_be_one,
            facts.made_apart,
            facts.identity,
            facts.is_frozen,
            facts.value_origins,
            zeros,
        )

    def _account(
        self,
        reach: OwnerReach,
        start: Function,
        called_again: Answer,
        seen: Mapping[Event, Environment],
    ) -> Account:
        log = self._following.log(lambda: BalanceLog(reach, self._places), start, Balance())
        order = self._order
        others = _consumes_of_others(seen, reach.owner) - log.arrivals.keys()
        arrivals, rare_arrivals = log.arrivals, log.rare_arrivals
        if not any(arrivals.values()):
            # Seen from a handler in which all steps stand, the way to them is the ordinary one.
            arrivals, rare_arrivals = {**arrivals, **rare_arrivals}, {}
        return Account(
            owner=reach.owner,
            root=self._entry.root,
            places=self._places,
            arrivals=order.states(arrivals),
            rare_arrivals=order.states(rare_arrivals),
            clips=self._clips(reach, start, seen, others),
            owned=self._owned(reach, seen),
            deposits=order.events(log.deposits),
            clearing=Clearing(
                zeros=order.by_event(log.zeros),
                uncalled=log.uncalled,
                mended=log.mended,
                elsewhere=self._may_clear(self._zeroings.called, reach),
                at_any_time=self._may_clear(self._zeroings.deferred, reach),
                unread=order.events(log.unread),
            ),
            surroundings=Surroundings(
                other_consumes=order.events(others),
                unread_code=self._has_unread_code(),
                part_of_iteration=self._is_part_of_iteration(reach.owner, log.deposits),
            ),
            called_again=called_again,
        )

    def _may_clear(self, zeros: ZerosByScope, reach: OwnerReach) -> bool:
        """Whether any of them that is not run from here may clear an owner."""
        return any(
            zero not in self._everything and reach.of(zero, Environment()) is not Reach.NONE
            for zero in zeros.that_may_concern(reach.owner)
        )

    def _clips(
        self,
        reach: OwnerReach,
        start: Function,
        seen: Mapping[Event, Environment],
        others: Collection[Consume],
    ) -> ClipHistory:
        if self._configuration is not None:
            return ClipHistory()
        following, order = self._following, self._order
        return clip_history(reach, start, following, order, seen, only_owner=not others)

    def _owned(
        self, reach: OwnerReach, seen: Mapping[Event, Environment]
    ) -> dict[Consume, list[Ownership]]:
        if self._configuration is not None or not any(isinstance(event, NewPart) for event in seen):
            return {}
        log = self._following.log(lambda: OwnershipLog(reach), self._entry.root, Ownership())
        return self._order.states(log.arrivals)

    def _keep_scaler_log(self, start: Function, make: Callable[[], ScalerLog]) -> None:
        log = self._following.log(make, start, ScaleState())
        log.arrivals = self._order.states(log.noted)
        self.scalers.append(log)

    def _keep_shared_log(self, reach: OwnerReach, start: Function) -> None:
        log = self._following.log(lambda: SharedLog(reach), start, SharedState())
        log.arrivals = self._order.states(log.noted)
        self.shared.append(log)

    def _keep_presence_log(self, reach: OwnerReach, facts: FileFacts) -> None:
        owner = reach.owner.ref
        old = self._entry.is_outlived_by(owner) or facts.value_origins.is_parameter(owner.root)
        state = Presence(Buffer.UNTOUCHED if old else Buffer.NEVER_FILLED)
        log = self._following.log(lambda: PresenceLog(reach, self._places), self._entry.root, state)
        log.arrivals = self._order.states(log.noted)
        self.buffers.append(log)

    def _has_unread_code(self) -> bool:
        """A backward may be hidden in unread code, unless it makes a value of what it is given."""
        return any(
            isinstance(event, Escape | HandOver)
            or (isinstance(event, UnreadCall) and event.works_by_itself)
            for event in self._entry.events
        )

    def _is_part_of_iteration(self, owner: Owner, deposits: Iterable[Deposit]) -> bool:
        """The root itself was given both the loss it starts from and the owner."""
        root = self._entry.root
        return owner.ref.root in root.parameters and any(
            deposit.loss_is_argument and deposit in self._entry.own_events for deposit in deposits
        )


def _owners(
    seen: Mapping[Event, Environment], relations: Relations, is_about: Callable[[Event], bool]
) -> list[Owner]:
    """The subjects of some events, each once, as the entry point names them."""
    owners: dict[Ref, Owner] = {}
    for event, environment in seen.items():
        if event.subject is not None and is_about(event):
            owner = relations.owner(event.subject, environment)
            owners.setdefault(owner.ref, owner)
    return list(owners.values())


def _consumes_of_others(seen: Mapping[Event, Environment], owner: Owner) -> set[Consume]:
    """The steps, as far as they can be run, of anything but this owner."""
    return {
        event
        for event, environment in seen.items()
        if isinstance(event, Consume)
        and (event.subject is None or environment.resolve(event.subject) != owner.ref)
    }
