"""Run the automata over every entry point of a file and collect what the rules ask about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ..events.event import Event, Kind
from ..events.lowering.module import Lowering
from ..events.objects.inventory import Inventory
from ..flow.explore import BudgetSpent, reachable
from ..flow.trim import trim
from ..program import Emit, Environment, Function, Ref, walk
from .account import Account
from .allowance import Allowance
from .automata.balance import Balance, Ledger
from .automata.presence import Presence, PresenceLog
from .automata.scaling import ScalerLog, Scaling
from .entries import Census, entry_points, repeated_entry
from .order import Order
from .reach import Owner, Reach, Relations


@dataclass(slots=True)
class Analysis:
    """All that is known about a file's gradients."""

    accounts: list[Account] = field(default_factory=list)
    scalers: list[ScalerLog] = field(default_factory=list)
    buffers: list[PresenceLog] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)


def analyse(functions: list[Function], lowering: Lowering) -> Analysis:
    """Follow every entry point of a file; what is too entangled to follow says nothing."""
    analysis = Analysis()
    own = {function: _events(function) for function in functions}
    analysis.events = [event for events in own.values() for event in events]
    roots = {root: list(reachable(root)) for root in entry_points(functions)}
    trim(functions, _tracked(analysis.events, lowering.inventory), _changes_nothing)
    zeros = [event for event in analysis.events if event.kind is Kind.ZERO]
    anytime = [s.event for s in lowering.loose if isinstance(s.event, Event)]
    for root in roots:
        if root.scope in lowering.handed_out:
            handed = [e for function in roots[root] for e in own.get(function, ())]
            anytime += [event for event in handed if _clears_what_others_hold(event)]
    allowance = Allowance()
    for root, reached in roots.items():
        events = [event for function in reached for event in own.get(function, ())]
        if _worth_following(events):
            try:
                _analyse_root(root, reached, events, zeros, anytime, lowering, analysis, allowance)
            except BudgetSpent:
                allowance.cut()
    return analysis


def _worth_following(events: list[Event]) -> bool:
    """Whether any automaton would be started, and could end up anywhere but where it began.

    Each follows a step, or a buffer that is needed, through what fills and clears; a loss scaler
    has states of its own.
    """
    asked = any(event.kind is Kind.CONSUME or event.needs_buffer for event in events)
    return asked and any(
        event.kind is Kind.DEPOSIT or event.kind is Kind.ZERO or event.scaler is not None
        for event in events
    )


def _tracked(events: list[Event], inventory: Inventory) -> Iterator[Ref]:
    """The objects an automaton may be asked to follow, and what they are made of."""
    for event in events:
        if event.subject is not None and (event.kind is Kind.CONSUME or event.needs_buffer):
            yield event.subject
            yield from inventory.covers.get(event.subject) or ()


def _clears_what_others_hold(event: Event) -> bool:
    """A function called at any moment clears what it closes over; its own is its own business."""
    local = event.subject is not None and event.subject.scope == event.site.function.scope
    return event.kind is Kind.ZERO and not local


def _changes_nothing(event: object) -> bool:
    """Events that no automaton takes a step on; that they are there is all there is to know."""
    return isinstance(event, Event) and event.kind is Kind.HANDED


def _analyse_root(
    root: Function,
    reached: list[Function],
    events: list[Event],
    zeros: list[Event],
    anytime: list[Event],
    lowering: Lowering,
    analysis: Analysis,
    allowance: Allowance,
) -> None:
    inventory = lowering.inventory
    order = Order(events)
    census = Census()
    allowance.explore(census, root, None)
    subjects = {e.subject for e in (*census.seen, *zeros, *anytime) if e.subject is not None}
    relations = Relations(
        inventory.covers,
        {ref: inventory.thing(ref) for ref in subjects},
        inventory.assigned.keys(),
        lowering.provenance,
        [(zero, census.seen.get(zero, Environment())) for zero in zeros],
    )
    owners: dict[Ref, Owner] = {}
    needed: dict[Ref, Owner] = {}
    scaled = any(event.scaler is not None for event in census.seen)
    for event, environment in census.seen.items():
        if event.subject is None:
            continue
        owner = relations.owner(event.subject, environment)
        if event.kind is Kind.CONSUME:
            owners.setdefault(owner.ref, owner)
        if event.needs_buffer:
            needed.setdefault(owner.ref, owner)
    inside = set(census.seen)
    in_plain_view = not any(e.kind in (Kind.ESCAPE, Kind.HANDED) for e in events)
    consumes = {event for event in inside if event.kind is Kind.CONSUME}
    for owner in owners.values():
        entry = repeated_entry(root, owner.ref, reached)
        ledger = Ledger(owner, relations)
        allowance.explore(ledger, entry, Balance())

        def may_be_cleared(events: list[Event], owner: Owner = owner) -> bool:
            return any(
                event not in inside
                and relations.touches(event, Environment(), owner) is not Reach.NONE
                for event in events
            )

        analysis.accounts.append(
            Account(
                owner,
                root,
                order.states(ledger.arrivals),
                order.states(ledger.rare_arrivals),
                order.by_event(ledger.zeros),
                order.events(ledger.deposits),
                order.events(consumes - set(ledger.arrivals)),
                may_be_cleared(zeros),
                may_be_cleared(anytime),
                ledger.uncalled,
                set(_events(root)),
                in_plain_view,
            )
        )
        if scaled:
            log = ScalerLog(owner, relations)
            allowance.explore(log, entry, Scaling())
            log.arrivals = order.states(log.noted)
            analysis.scalers.append(log)
    for owner in needed.values():
        presence = PresenceLog(owner, relations)
        allowance.explore(presence, root, Presence())
        presence.arrivals = order.states(presence.noted)
        analysis.buffers.append(presence)


def _events(function: Function) -> list[Event]:
    return [
        statement.event
        for statement in walk(function.body)
        if isinstance(statement, Emit) and isinstance(statement.event, Event)
    ]
