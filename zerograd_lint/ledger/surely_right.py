"""Whether all that a file does to gradients is right, whatever unread code does in between.

Unread code may do anything to what it reaches. What is right under that assumption stays right
when the code is read: reading it can only rule something out.
"""

from __future__ import annotations

from ..events.event import Consume, Deposit, Event, Zero
from .account import Account
from .analysis import Analysis
from .automata.balance import Balance, Status
from .automata.loss_scale import Scale, ScalerLog
from .automata.presence import Buffer
from .reach import Reach


def is_surely_right(analysis: Analysis) -> bool:
    """Whether every step applies what a backward has made for it, and nothing is left to ask."""
    return (
        bool(analysis.accounts)
        and not analysis.shared
        and all(map(_is_right, analysis.accounts))
        and all(map(_is_right_about_scale, analysis.scalers))
        and all(
            state.buffer is Buffer.FILLED
            for log in analysis.buffers
            for states in log.arrivals.values()
            for state in states
        )
        and _are_accounted_for(analysis)
    )


def _is_right(account: Account) -> bool:
    clipped = (state for states in account.clipped.values() for state in states)
    return (
        all(_holds_fresh(b) for balances in account.arrivals.values() for b in balances)
        and not account.useless_clips
        and not any(state.too_early for state in clipped)
        and not _may_be_called_again(account)
    )


def _may_be_called_again(account: Account) -> bool:
    """An attribute is stepped, and nothing in view clears it or leads back to the step.

    Once the bases of its class are read, it may turn out to be stepped by every call.
    """
    is_attribute = account.owner.ref.name == "self" and bool(account.owner.ref.path)
    if not is_attribute or Reach.ALL in account.clearing.zeros.values():
        return False
    return not any(b.since is not None for found in account.arrivals.values() for b in found)


def _holds_fresh(balance: Balance) -> bool:
    return balance.status is Status.FRESH and not balance.lost and balance.spoilt is None


def _is_right_about_scale(log: ScalerLog) -> bool:
    states = (state for arriving in log.arrivals.values() for state in arriving)
    known = all(state.scale is not Scale.UNKNOWN and not state.unread for state in states)
    return known and not log.may_be_wrong()


def _are_accounted_for(analysis: Analysis) -> bool:
    """Whether every event belongs to a step in view: what another file steps is judged with it."""
    known: set[Event] = set()
    for account in analysis.accounts:
        known.update(account.arrivals)
        known.update(account.deposits)
        known.update(z for z, reach in account.clearing.zeros.items() if reach is not Reach.NONE)
    acting = (Consume, Deposit, Zero)
    return all(event in known for event in analysis.events if isinstance(event, acting))
