from __future__ import annotations

from collections.abc import Iterator

from ..ledger.analysis import Analysis
from ..ledger.balance import Status
from ..plan import Report
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
    proof = "unfed"
    example = "step_then_backward"

    def check(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        told = set()
        for account in analysis.accounts:
            for _, paths in account.certain():
                if not paths or any(
                    b.status is not Status.WIPED or not b.came_round or b.across_calls
                    for _, b in paths
                ):
                    continue
                for consume, balance in paths:
                    if consume in told:
                        continue
                    told.add(consume)
                    deposits = sorted(balance.lost, key=line)
                    zero = balance.cleared
                    lost = f", and line {line(zero)} clears what it left" if zero else ""
                    yield Report(
                        consume,
                        f"'{consume.spelling}' steps before its backward "
                        f"(line {line(deposits[0])}) in every iteration{lost}: the step never has "
                        "a gradient to apply; step after the backward",
                        tuple((d, "this backward comes after the step") for d in deposits),
                    )
