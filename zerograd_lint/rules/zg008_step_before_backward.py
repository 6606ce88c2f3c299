from __future__ import annotations

from collections.abc import Iterator

from ..events.event import Advance, Consume, Deposit, Event, Forward, HandOver, UnreadCall
from ..fixing.plan import Report
from ..ledger.analysis import Analysis
from ..ledger.automata.balance import Balance, Status
from ..ledger.reach import Reach
from ..vocabulary.calls import Effect
from .rule import Line, Rule


class StepBeforeBackward(Rule):
    """
    ## What it does

    Finds steps that precede their backward in every iteration, with a zeroing in between, so that
    no backward ever feeds them.

    ## Why is this bad?

    Each step applies nothing: what the backward computes is cleared before the next step comes.

    ## Fix safety

    There is no fix: which of the lines should move is for you to say.
    """

    code = "ZG008"
    name = "step-before-backward"
    summary = "in every iteration the step precedes its backward, or no backward feeds it"
    needs = (
        Effect.DEPOSIT | Effect.CONSUME | Effect.IRREGULAR,
        Effect.CONSUME | Effect.ZERO | Effect.IRREGULAR,
    )
    proof = "unfed"
    example = "textbook_loop"

    def check(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        yield from self._late(analysis, line)
        yield from self._never(analysis, line)

    def _never(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        """A loop that zeroes and steps, with no backward and no unread code in it."""
        for account in analysis.accounts:
            if account.deposits or account.clearing.unread or account.surroundings.unread_code:
                continue
            for consume, paths in account.certain():
                zeros = [
                    zero
                    for zero, reach in account.clearing.zeros.items()
                    # `p.grad = torch.zeros(3)` before a step tries out a gradient of zeros.
                    if reach is Reach.ALL
                    and zero.site.loops == consume.site.loops
                    and not zero.by_hand
                ]
                inside = [b for end, b in paths if end is consume and not b.across_calls]
                if _tries_schedule(consume, analysis):
                    continue
                if zeros and inside and consume.site.loops and not consume.by_hand:
                    yield Report(
                        consume,
                        f"no backward ever feeds '{consume.spelling}': the loop zeroes (line "
                        f"{line(zeros[0])}) and steps, but computes no gradient",
                        ((zeros[0], "cleared here, and never filled"),),
                        advice="call loss.backward() before the step",
                    )

    def _late(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        reported = set()
        for account in analysis.accounts:
            for _, paths in account.certain():
                late = [(end, b) for end, b in paths if _has_lost(b)]
                # Where the backward was skipped there is nothing to apply either.
                if any(
                    b.across_calls or (b.status is not Status.CLEAN and (end, b) not in late)
                    for end, b in paths
                ):
                    continue
                for consume, balance in late:
                    if consume in reported or _is_fed(account.arrivals[consume]):
                        continue
                    if _may_hide_backward(consume, balance.lost, analysis):
                        continue
                    reported.add(consume)
                    deposits = sorted(balance.lost, key=line)
                    zero = balance.cleared
                    lost = f", and line {line(zero)} clears what it left" if zero else ""
                    yield Report(
                        consume,
                        f"'{consume.spelling}' steps before its backward "
                        f"(line {line(deposits[0])}) in every iteration{lost}: the step never has "
                        "a gradient to apply",
                        tuple((d, "this backward comes after the step") for d in deposits),
                        advice="step after the backward",
                    )


def _tries_schedule(consume: Consume, analysis: Analysis) -> bool:
    """A loop that moves a schedule on and runs no network is there for the schedule."""
    beside = [event for event in analysis.events if event.beside(consume)]
    computes = any(isinstance(event, Forward | UnreadCall) for event in beside)
    return not computes and any(isinstance(event, Advance) for event in beside)


def _may_hide_backward(consume: Consume, deposits: frozenset[Deposit], analysis: Analysis) -> bool:
    """Something unread is called beside the step, as `task(batch)` is, and not for the loss."""
    for_loss = frozenset[object]().union(*(deposit.made_by for deposit in deposits))
    return any(
        _may_run_backward(event) and event.beside(consume) and event.site.node not in for_loss
        for event in analysis.events
    )


def _may_run_backward(event: Event) -> bool:
    """It is there for what it does, or can reach a network: by argument, or by what it holds."""
    if isinstance(event, UnreadCall):
        return event.for_effect or event.may_hold
    return isinstance(event, HandOver)


def _has_lost(balance: Balance) -> bool:
    """Whether what the backward of the last iteration left was cleared before this step."""
    return balance.status is Status.WIPED and balance.came_round and bool(balance.lost)


def _is_fed(balances: list[Balance]) -> bool:
    """On some way round, a backward comes before the step."""
    return any(b.status is Status.FRESH and b.since is not None for b in balances)
