"""Questions about the way from one step to the next, one function each."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..argument import Answer, Question, no, not_known, yes
from ..events.event import Consume, Event, Zero
from .account import Account
from .automata.balance import Balance, Status
from .reach import Reach

Line = Callable[[Event], int]
"""The line of the file on which an event stands."""
_MOST_LINES = 3


def reached(account: Account, line: Line) -> Answer:
    """Can a loss reach the parameters of this owner?"""
    if account.deposits:
        lines = _lines(account.deposits, line)
        return yes(Question.REACHED, f"a backward adds to its gradients on {lines}")
    if account.surroundings.unread_code:
        return not_known(Question.REACHED, "no backward in view does, but unread code may")
    return no(Question.REACHED, "no backward in view does")


def repeated(account: Account, step: Consume) -> Answer:
    """Does the step come round again?"""
    if any(not balance.across_calls for balance in _returning(account, step)):
        return yes(Question.REPEATED, "a loop in view leads from a step back to it")
    return account.called_again


def callers(account: Account, step: Consume) -> Answer:
    """Is all in view that calls the function between two steps?"""
    if any(not balance.across_calls for balance in _returning(account, step)):
        return yes(Question.CALLERS, "the way from step to step is in view")
    if account.clearing.elsewhere:
        return no(Question.CALLERS, "other code of this file clears it, at a time of its own")
    if account.surroundings.part_of_iteration:
        return not_known(Question.CALLERS, "the caller holds both the loss and the optimizer")
    return Answer(Question.CALLERS, account.called_again.verdict, account.called_again.reason)


def uncleared(account: Account, step: Consume, line: Line) -> Answer:
    """Does nothing clear the gradients between two steps?"""
    if step in account.stale:
        return yes(Question.UNCLEARED, "no path to it zeroes, and no unread code could")
    if step in account.spoilt():
        reason = "where its gradients are found not to be finite, nothing zeroes them"
        return yes(Question.UNCLEARED, reason)
    clearing = account.clearing
    if clearing.at_any_time:
        reason = "a hook, or a zeroing that is handed around, may run at any time"
        return not_known(Question.UNCLEARED, reason)
    balances = _returning(account, step)
    if not balances:
        return not_known(Question.UNCLEARED, "no way leads from a step back to it")
    zeros: list[Zero] = [zero for zero, reach in clearing.zeros.items() if reach is Reach.ALL]
    if zeros and not any(balance.status is Status.UNKNOWN for balance in balances):
        return no(Question.UNCLEARED, f"it is zeroed on {_lines(zeros, line)}")
    if clearing.unread:
        lines = _lines(clearing.unread, line)
        return not_known(Question.UNCLEARED, f"what {lines} does to it is not in view")
    return not_known(Question.UNCLEARED, "some paths are right, or cannot be followed")


def _returning(account: Account, step: Consume) -> list[Balance]:
    """The balances that arrive at a step from a step before."""
    return [balance for balance in account.arrivals.get(step, ()) if balance.since is not None]


def _lines(events: Iterable[Event], line: Line) -> str:
    numbers = sorted({line(event) for event in events})
    shown = [str(number) for number in numbers[:_MOST_LINES]]
    if len(numbers) > _MOST_LINES:
        shown.append("…")
    return f"line{'s' if len(numbers) > 1 else ''} {', '.join(shown)}"
