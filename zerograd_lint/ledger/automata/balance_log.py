"""The automaton that keeps one owner's balance along every path."""

from __future__ import annotations

from collections.abc import Iterable

from ...events.event import Consume, Deposit, Escape, Event, Uncalled, Zero
from ...program import Environment, Ref
from ..reach import OwnerReach, Reach
from .balance import Balance
from .call_boundary import CallBoundary


class BalanceLog:
    """Keeps the balance of one owner and writes down how it stood at every consume."""

    def __init__(self, reach: OwnerReach) -> None:
        self.owner = reach.owner
        self.reach = reach
        self.arrivals: dict[Consume, set[Balance]] = {}
        self.rare_arrivals: dict[Consume, set[Balance]] = {}
        self.zeros: dict[Zero, Reach] = {}
        self.deposits: set[Deposit] = set()
        self.uncalled: set[Uncalled] = set()
        self.unread: set[Event] = set()
        """Events after which nothing is known of the buffers."""

    def step(
        self, state: Balance, event: object, environment: Environment, *, rare: bool
    ) -> Iterable[Balance]:
        if isinstance(event, CallBoundary):
            return (state._replace(across_calls=True),)
        assert isinstance(event, Event)
        match event:
            case Deposit():
                return (self._deposit(state, event, environment),)
            case Zero():
                return (self._zero(state, event, environment),)
            case Consume():
                return (self._consume(state, event, environment, rare),)
            case Uncalled():
                if self.reach.of(event, environment) is not Reach.NONE:
                    self.uncalled.add(event)
            case Escape():
                if self.reach.of(event, environment) is not Reach.NONE:
                    self.unread.add(event)
                    return (state.after_unread_code(),)
        return (state,)

    def _deposit(self, state: Balance, event: Deposit, environment: Environment) -> Balance:
        reach = self.reach.of(event, environment)
        if reach is Reach.NONE:
            return state
        if reach is Reach.UNSURE:
            self.unread.add(event)
            return state.after_unread_code()
        self.deposits.add(event)
        return state.after_deposit(event)

    def _zero(self, state: Balance, event: Zero, environment: Environment) -> Balance:
        reach = self.reach.of(event, environment)
        self.zeros[event] = reach
        if reach is Reach.NONE:
            return state
        if reach is Reach.UNSURE:
            self.unread.add(event)
            return state.after_possible_zero()
        return state.after_zero(event)

    def _consume(
        self, state: Balance, event: Consume, environment: Environment, rare: bool
    ) -> Balance:
        if event.subject is None or environment.resolve(event.subject) != self.owner.ref:
            shared = self.reach.of(event, environment) is Reach.ALL
            return state.after_consume_by_another() if shared else state
        noted = self.arrivals.setdefault(event, set())
        if rare:
            noted = self.rare_arrivals.setdefault(event, set())
        noted.add(state)
        return state.after_consume(event)

    def rebound(self, state: Balance, refs: frozenset[Ref], environment: Environment) -> Balance:
        # A new optimizer over the same parameters finds their gradients as they are.
        parts = self.owner.covers or (self.owner.ref,)
        resolved = [environment.resolve(ref) for ref in refs]
        if any(ref.contains(part) for ref in resolved for part in parts):
            return Balance()
        return state

    def entered(self, state: Balance) -> Balance:
        return state.in_loop()

    def repeated(self, state: Balance) -> Balance:
        return state._replace(came_round=True)

    def left(self, state: Balance) -> Balance:
        return state.out_of_loop()

    def unknown(self, state: Balance) -> Balance:
        return state.after_unread_code()

    def walks(self, collection: Ref, environment: Environment) -> bool:
        return self.owner.is_part_of(environment.resolve(collection))
