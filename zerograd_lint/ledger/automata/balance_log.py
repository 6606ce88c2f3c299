"""The automaton that keeps one owner's balance along every path."""

from __future__ import annotations

from ...events.event import (
    Clip,
    Consume,
    Deposit,
    Escape,
    Event,
    Read,
    Spoil,
    Uncalled,
    Zero,
)
from ...program import Environment, Ref
from ...vocabulary.things import Thing
from ..places import Places
from ..reach import OwnerReach, Reach
from .balance import Balance
from .call_boundary import CallBoundary


class BalanceLog:
    """Keeps the balance of one owner and writes down how it stood at every consume."""

    def __init__(self, reach: OwnerReach, places: Places) -> None:
        self.owner = reach.owner
        self.reach = reach
        self._places = places
        self.arrivals: dict[Consume, set[Balance]] = {}
        self.rare_arrivals: dict[Consume, set[Balance]] = {}
        self.zeros: dict[Zero, Reach] = {}
        self.deposits: set[Deposit] = set()
        self.uncalled: set[Uncalled] = set()
        self.unread: set[Event] = set()
        """Events after which nothing is known of the buffers."""
        self.mended: set[Spoil] = set()
        """Tests that found what is not finite, cleared on some ways before the loop goes round."""

    def may_be_wrong(self) -> bool:
        noted = (*self.arrivals.values(), *self.rare_arrivals.values())
        return not all(balance.is_plain for balances in noted for balance in balances)

    def step(
        self, state: Balance, event: object, environment: Environment, *, rare: bool
    ) -> Balance:
        if isinstance(event, CallBoundary):
            return state._replace(across_calls=True)
        assert isinstance(event, Event)
        match event:
            case Deposit():
                return self._deposit(state, event, environment)
            case Zero():
                return self._zero(state, event, environment)
            case Consume():
                return self._consume(state, event, environment, rare)
            case Uncalled() | Escape():
                if self.reach.of(event, environment) is not Reach.NONE:
                    return self._out_of_sight(state, event)
        return _looked_at(state, event)

    def _out_of_sight(self, state: Balance, event: Uncalled | Escape) -> Balance:
        if isinstance(event, Uncalled):
            self.uncalled.add(event)
            return state
        self.unread.add(event)
        return state.after_unread_code(by_the_way=self._is_by_the_way(state, event))

    def _is_by_the_way(self, state: Balance, event: Escape) -> bool:
        """Whether the loop around the last step mostly goes round without this."""
        if state.since is None or state.lowest < 0 or state.across_calls:
            return False
        return self._places.is_now_and_then(event, state.since)

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
        if state.spoilt is not None and not state.kept_spoilt:
            self.mended.add(state.spoilt)
        if reach is Reach.UNSURE:
            self.unread.add(event)
            return state.after_possible_zero()
        return state.after_zero(event)

    def _consume(
        self, state: Balance, event: Consume, environment: Environment, rare: bool
    ) -> Balance:
        if event.subject is None or environment.resolve(event.subject) != self.owner.ref:
            shared = self.reach.of(event, environment) is Reach.ALL
            return state.after_consume_by_another(event) if shared else state
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
        is_made = self.owner.thing is Thing.OPTIMIZER and self.owner.covers is not None
        if is_made and any(ref.contains(self.owner.ref) for ref in resolved):
            return state.of_a_new_optimizer()
        return state

    def entered(self, state: Balance) -> Balance:
        return state.in_loop()

    def repeated(self, state: Balance) -> Balance:
        return state.gone_round()

    def left(self, state: Balance) -> Balance:
        return state.out_of_loop()

    def unknown(self, state: Balance) -> Balance:
        return state.after_unread_code()

    def walks(self, collection: Ref, environment: Environment) -> bool:
        return self.owner.is_part_of(environment.resolve(collection))


def _looked_at(state: Balance, event: Event) -> Balance:
    """The balance after a test of gradients, or a use of them."""
    match event:
        case Spoil(finite=False):
            return state.after_spoil(event)
        case Read() if not isinstance(event, Clip):
            # A clip mends nothing that is not finite; anything else may.
            return state.after_change()
    return state
