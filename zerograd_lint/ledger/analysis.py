"""Run the automata over every entry point of a file and collect what the rules ask about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ..events.event import Event, Kind
from ..events.inventory import Inventory
from ..events.lower import Lowering
from ..flow.explore import BudgetSpent, Explorer, reachable
from ..flow.trim import trim
from ..program import Emit, Environment, Function, Invoke, Loop, Ref, Suspend, walk
from .balance import Balance, CallBoundary, Ledger, Status
from .presence import Presence, PresenceLog
from .reach import Owner, Reach, Relations
from .scaling import ScalerLog, Scaling

_BUDGET = 60_000
"""Steps one automaton may take through one entry point."""


@dataclass(slots=True)
class Account:
    """One owner's history as seen from one entry point."""

    owner: Owner
    root: Function
    arrivals: dict[Event, set[Balance]]
    """How the balance stood at every consume, over all ordinary paths."""
    rare_arrivals: dict[Event, set[Balance]]
    """The same over the paths that an exception takes."""
    zeros: dict[Event, Reach]
    deposits: set[Event]
    others: set[Event]
    """Consumes of other owners within the same entry point."""
    zeroed_elsewhere: bool
    """Code that this entry point does not run may clear this owner."""
    zeroed_anytime: bool
    """A zeroing of this owner is handed around as a value: it may run at any moment."""
    uncalled: set[Event]
    """Zeroings of this owner that are named, but not called."""
    own: set[Event]
    """The events of the entry point itself, not of the functions it calls."""
    in_plain_view: bool
    """No code that cannot be seen was given anything a backward could start from."""

    def certain(self, *, rare: bool = False) -> Iterator[tuple[Event, list[tuple[Event, Balance]]]]:
        """For each consume: where the paths from it that surely happen arrive, and how.

        Paths that stay inside the innermost loops come first: a loop goes round, but whether
        and when it is left is anybody's guess.
        """
        for start in self.arrivals:
            paths = [
                (end, balance)
                for end, balances in self.arrivals.items()
                for balance in (balances | self.rare_arrivals.get(end, set()) if rare else balances)
                if balance.since is start
            ]
            if paths:
                nearest = min(balance.level for _, balance in paths)
                paths = [(end, b) for end, b in paths if b.level == nearest]
            if any(b.across_calls for _, b in paths) and (
                self.zeroed_elsewhere or self._is_part_of_an_iteration()
            ):
                continue
            yield start, paths

    def _is_part_of_an_iteration(self) -> bool:
        """The caller holds both the loss and the optimizer, so the zeroing may be its business."""
        given = any(deposit.given and deposit in self.own for deposit in self.deposits)
        return given and self.owner.ref.root in self.root.parameters

    def stale(self) -> Iterator[tuple[Event, Balance]]:
        """The consumes that, in every case, apply what an earlier one has applied already."""
        told: set[Event] = set()
        if self.zeroed_anytime:
            return
        for _, paths in self.certain():
            states = {balance.status for _, balance in paths}
            # Next to a stale step, one without any backward in between is as wrong.
            if Status.STALE in states and states <= {Status.STALE, Status.USED}:
                for end, balance in paths:
                    if end not in told:
                        told.add(end)
                        yield end, balance


@dataclass(slots=True)
class Analysis:
    """All that is known about a file's gradients."""

    accounts: list[Account] = field(default_factory=list)
    scalers: list[ScalerLog] = field(default_factory=list)
    buffers: list[PresenceLog] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)


class _Census:
    """Visits everything an entry point can run, noting events and their environments."""

    def __init__(self) -> None:
        self.seen: dict[Event, Environment] = {}

    def step(
        self, state: None, event: object, environment: Environment, *, rare: bool
    ) -> Iterable[None]:
        if isinstance(event, Event):
            self.seen.setdefault(event, environment)
        return (None,)

    def rebound(self, state: None, refs: frozenset[Ref], environment: Environment) -> None:
        return None

    def entered(self, state: None) -> None:
        return None

    repeated = left = unknown = entered

    def walks(self, collection: Ref, environment: Environment) -> bool:
        return False


def analyse(functions: list[Function], lowering: Lowering) -> Analysis:
    """Follow every entry point of a file; what is too entangled to follow says nothing."""
    analysis = Analysis()
    own = {function: _events(function) for function in functions}
    analysis.events = [event for events in own.values() for event in events]
    roots = {root: list(reachable(root)) for root in _roots(functions)}
    trim(functions, _tracked(analysis.events, lowering.inventory), _changes_nothing)
    zeros = [event for event in analysis.events if event.kind is Kind.ZERO]
    loose = [item.event for item in lowering.loose if isinstance(item, Emit)]
    for root in roots:
        if root.scope in lowering.handed_out:
            loose += [e for function in roots[root] for e in own.get(function, ())]
    anytime = [e for e in loose if isinstance(e, Event) and e.kind is Kind.ZERO]
    for root, reached in roots.items():
        events = [event for function in reached for event in own.get(function, ())]
        if events:
            try:
                _analyse_root(root, reached, events, zeros, anytime, lowering, analysis)
            except BudgetSpent:
                continue
    return analysis


def _tracked(events: list[Event], inventory: Inventory) -> Iterator[Ref]:
    """The objects an automaton may be asked to follow, and what they are made of."""
    for event in events:
        if event.subject is not None and (event.kind is Kind.CONSUME or event.needs_buffer):
            yield event.subject
            yield from inventory.covers.get(event.subject) or ()


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
) -> None:
    inventory = lowering.inventory
    census = _Census()
    Explorer(census, _BUDGET).explore(root, None)
    subjects = {e.subject for e in (*census.seen, *zeros, *anytime) if e.subject is not None}
    relations = Relations(
        inventory.covers, {ref: inventory.thing(ref) for ref in subjects}, inventory.assigned
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
        entry = _entry(root, owner.ref, reached)
        ledger = Ledger(owner, relations)
        Explorer(ledger, _BUDGET).explore(entry, Balance())

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
                ledger.arrivals,
                ledger.rare_arrivals,
                ledger.zeros,
                ledger.deposits,
                consumes - set(ledger.arrivals),
                may_be_cleared(zeros),
                may_be_cleared(anytime),
                ledger.uncalled,
                set(_events(root)),
                in_plain_view,
            )
        )
        if scaled:
            log = ScalerLog(owner, relations)
            Explorer(log, _BUDGET).explore(entry, Scaling())
            analysis.scalers.append(log)
    for owner in needed.values():
        presence = PresenceLog(owner, relations)
        Explorer(presence, _BUDGET).explore(root, Presence())
        analysis.buffers.append(presence)


def _entry(root: Function, owner: Ref, reached: list[Function]) -> Function:
    """A function that works on what outlives it is one iteration of somebody else's loop."""
    if not root.scope or not _outlives(owner, root, reached):
        return root
    # If it is a generator, somebody who cannot be seen runs whenever it pauses.
    again = Loop([Invoke(root, consumer=[Suspend()]), Emit(CallBoundary())], endless=True)
    return Function(f"{root.name} again", f"{root.scope}*", body=[again])


def _outlives(owner: Ref, root: Function, reached: list[Function]) -> bool:
    if owner.root in root.parameters:
        return True
    return all(owner.scope != function.scope for function in reached)


def _roots(functions: list[Function]) -> Iterator[Function]:
    """The functions nobody in the file calls, then what only recursion reaches."""
    invoked = {
        statement.function
        for function in functions
        for statement in walk(function.body)
        if isinstance(statement, Invoke)
    }
    covered: set[Function] = set()
    for function in functions:
        if function not in invoked:
            covered.update(reachable(function))
            yield function
    for function in functions:
        if function not in covered:
            covered.update(reachable(function))
            yield function


def _events(function: Function) -> list[Event]:
    return [
        statement.event
        for statement in walk(function.body)
        if isinstance(statement, Emit) and isinstance(statement.event, Event)
    ]
