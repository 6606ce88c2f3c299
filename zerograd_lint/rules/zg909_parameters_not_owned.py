from __future__ import annotations

from collections.abc import Iterator

from ..events.event import NewPart
from ..fixing.plan import Report
from ..ledger.analysis import Analysis
from ..vocabulary.calls import Effect
from .rule import Line, Rule


class ParametersNotOwned(Rule):
    """
    ## What it does

    Finds modules that are replaced or added after the optimizer was built over the old parameters.

    ## Why is this bad?

    The optimizer holds the parameters it was given, not the module: it goes on stepping those that
    nothing uses any more, and the new ones are never trained.

    ## Fix safety

    There is no fix: build the optimizer after the module is complete, or add a parameter group.
    """

    code = "ZG909"
    name = "parameters-not-owned"
    summary = "a module is replaced or added after the optimizer was built over the old parameters"
    on_by_default = False
    needs = (Effect.DEPOSIT | Effect.CONSUME,)
    proof = "differs"
    example = "new_head"

    def check(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        reported: set[NewPart | None] = set()
        for account in analysis.accounts:
            for consume, states in account.owned.items():
                parts = {state.unowned for state in states}
                if None in parts:
                    continue
                for part in sorted(filter(None, parts - reported), key=line):
                    reported.add(part)
                    yield Report(
                        part,
                        f"'{consume.spelling}' was built before '{part.spelling}' is made here, "
                        f"and never steps its parameters (line {line(consume)})",
                        ((consume, "this step does not train it"),),
                        advice="build the optimizer afterwards, or add a parameter group",
                    )
