from __future__ import annotations

from collections.abc import Iterator

from ..argument import Question
from ..events.event import Consume, Deposit, Zero
from ..fixing.plan import MoveBefore, Plan, Report
from ..ledger.account import Account
from ..ledger.analysis import Analysis
from ..ledger.automata.balance import Status
from ..vocabulary.calls import Effect
from .rule import Line, Rule
from .shared.stale_steps import feeding
from .shared.zeroing_place import Placement, after_step


class ZeroGradAfterBackward(Rule):
    """
    ## What it does

    Finds zeroings that stand between a backward and its step.

    ## Why is this bad?

    The gradients are thrown away before anything uses them. The step applies nothing, or only
    weight decay and momentum, and the model does not learn.

    ## Fix safety

    The fix moves the zeroing in front of the backward if both stand in one block, or behind the
    step if it stands beside that. It is unsafe: the model starts to train.
    """

    code = "ZG002"
    name = "zero-grad-after-backward"
    summary = "gradients are cleared between backward and step, so the step applies nothing"
    needs = (Effect.DEPOSIT | Effect.CONSUME | Effect.ZERO | Effect.IRREGULAR,)
    by_configuration = True
    asks = (Question.WIPES,)
    proof = "wiped"
    example = "textbook_loop"

    def check(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        for account in analysis.accounts:
            for consume, balances in account.arrivals.items():
                if consume.by_name:
                    continue  # the gradient was kept under a name
                wiped = [b for b in balances if b.status is Status.WIPED and not b.came_round]
                # Where the backward was skipped there is nothing to apply either.
                if not wiped or any(b.status not in (Status.WIPED, Status.CLEAN) for b in balances):
                    continue
                for zero in {b.cleared for b in wiped if b.cleared is not None}:
                    if _is_looked_at(zero, consume, account, line):
                        continue
                    deposits = {d for b in wiped if b.cleared is zero for d in b.lost | b.doubtful}
                    deposit = feeding(account, consume, deposits, line)
                    since = f" (line {line(deposit)})" if deposit is not None else ""
                    if consume.by_trainer:
                        yield _before_trainer(zero, since, deposits)
                        continue
                    yield Report(
                        zero,
                        f"'{consume.spelling}' is cleared between backward{since} and step "
                        f"(line {line(consume)}): the step applies nothing",
                        tuple((d, "these gradients are thrown away") for d in deposits),
                        tuple(_plans(zero, deposit, after_step(consume, account, analysis, line))),
                        "zero before the backward or after the step",
                    )


def _before_trainer(zero: Zero, since: str, deposits: set[Deposit]) -> Report:
    return Report(
        zero,
        f"'{zero.spelling}' is cleared behind the backward{since}, before the trainer steps: its "
        "step applies nothing",
        tuple((deposit, "these gradients are thrown away") for deposit in deposits),
        advice="remove this, the trainer clears behind its step",
    )


def _is_looked_at(zero: Zero, consume: Consume, account: Account, line: Line) -> bool:
    """A test that does something between the two looks at what a step without gradients does."""
    return account.places.is_tried_out(consume) and line(consume) > line(zero) + 1


def _plans(zero: Zero, deposit: Deposit | None, behind: Placement) -> Iterator[Plan]:
    """In front of the backward, or behind the step, whichever stands beside the zeroing."""
    if deposit is not None:
        place = deposit.wrapper or deposit.site
        # Before the first backward there may be no buffer to clear.
        if place.block == zero.site.block and not zero.needs_buffer:
            change = MoveBefore(zero.site, place)
            yield Plan(
                "Move the zeroing before the backward", (change,), "zero before the backward"
            )
    if behind.place.block == zero.site.block:
        yield behind.move(zero.site)
