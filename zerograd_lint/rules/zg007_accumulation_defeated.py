from __future__ import annotations

from collections.abc import Iterator

from ..events.event import Consume, Deposit, Zero
from ..events.site import Site
from ..fixing.plan import MoveAfter, Plan, Report
from ..ledger.account import Account
from ..ledger.analysis import Analysis
from ..ledger.automata.balance import Balance, Status
from ..vocabulary.calls import Effect
from .rule import Line, Rule
from .shared.zeroing_place import place_after_step


class AccumulationDefeated(Rule):
    """
    ## What it does

    Finds gradient accumulation that does not accumulate: gradients are cleared on every
    micro-batch but applied on every n-th only, the step comes before the last backward of its
    window, or the modulo that decides is inverted.

    ## Why is this bad?

    Only the last micro-batch of each window trains the model; the others are computed for
    nothing. With an inverted modulo the step runs on all batches but the n-th.

    ## Fix safety

    The fix moves the zeroing behind the step, under its guard. It is unsafe: it changes what the
    program computes. An inverted modulo is not fixed.
    """

    code = "ZG007"
    name = "accumulation-defeated"
    summary = (
        "gradients are cleared every micro-batch, but applied every n-th; or the modulo is inverted"
    )
    needs = (Effect.DEPOSIT | Effect.CONSUME,)
    proof = "defeated"
    example = "zero_every_micro_batch"

    def check(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        for account in analysis.accounts:
            for consume, balances in account.arrivals.items():
                if _alternates(account, consume) or _is_delayed(account, consume, analysis):
                    continue
                yield from self._cleared(account, consume, balances, analysis, line)
                yield from self._inverted(account, consume, line)

    def _cleared(
        self,
        account: Account,
        consume: Consume,
        balances: list[Balance],
        analysis: Analysis,
        line: Line,
    ) -> Iterator[Report]:
        reported = set()
        for balance in balances:
            zero = balance.cleared
            if (
                balance.status is not Status.FRESH
                or zero is None
                or zero in reported
                or not balance.fresh
                or not balance.fresh <= balance.lost
                or not all(_in_window(d, consume, zero, line) for d in balance.fresh)
            ):
                continue
            reported.add(zero)
            late = [d for d in balance.fresh if line(consume) < line(d) < line(zero)]
            if late and zero.site.guards:
                yield self._too_late(consume, late[0], zero, line)
            elif any(deposit.managed for deposit in balance.fresh) and not zero.site.guards:
                yield self._not_held_back(consume, zero, line)
            else:
                place = place_after_step(consume, account, analysis, line)
                yield self._too_often(consume, zero, place, line)

    def _too_often(self, consume: Consume, zero: Zero, place: Site, line: Line) -> Report:
        plan = Plan("Move the zeroing behind the step", (MoveAfter(zero.site, place),))
        return Report(
            zero,
            f"'{consume.spelling}' is cleared on every micro-batch but stepped only now and "
            f"then (line {line(consume)}): all but the last micro-batch are lost; zero after "
            "the step",
            ((consume, "only this step should be followed by a zeroing"),),
            plan if zero.site.function is consume.site.function else None,
        )

    def _not_held_back(self, consume: Consume, zero: Zero, line: Line) -> Report:
        return Report(
            zero,
            f"'{consume.spelling}' is cleared here on every micro-batch, which its launcher does "
            f"not hold back as it does the step (line {line(consume)}): all but the last "
            f"micro-batch are lost; call {consume.spelling}.zero_grad() instead",
            ((consume, "this step waits for the end of the window"),),
        )

    def _too_late(self, consume: Consume, deposit: Deposit, zero: Zero, line: Line) -> Report:
        return Report(
            consume,
            f"'{consume.spelling}' steps before the last backward of its window (line "
            f"{line(deposit)}), which is then cleared (line {line(zero)}): one micro-batch of "
            "each window is lost; step after the backward",
            ((zero, "what the last backward computed is thrown away here"),),
        )

    def _inverted(self, account: Account, consume: Consume, line: Line) -> Iterator[Report]:
        guard = next((g for g in consume.site.guards if g.inverted), None)
        if guard is None or guard.halves:
            return
        feeding = [deposit for deposit in account.deposits if deposit.beside(consume)]
        if feeding and not any(guard in deposit.site.guards for deposit in feeding):
            yield Report(
                consume,
                f"'{consume.spelling}' steps on all batches but every n-th: the modulo of this "
                "accumulation is inverted; compare it with == 0",
                tuple((deposit, "gradients arrive on every batch") for deposit in feeding),
            )


def _alternates(account: Account, consume: Consume) -> bool:
    """Where this step is skipped another optimizer steps: `if i % k: a.step() else: b.step()`."""
    return any(
        mine.test == theirs.test and mine.taken != theirs.taken
        for other in account.surroundings.other_consumes
        if other.beside(consume)
        for mine in consume.site.guards
        for theirs in other.site.guards
    )


def _is_delayed(account: Account, consume: Consume, analysis: Analysis) -> bool:
    """Its backward also feeds an optimizer that steps on every pass, so it is no accumulation."""
    return any(
        other.beside(consume)
        and not any(guard.periodic for guard in other.site.guards)
        and any(deposit.beside(other) for deposit in theirs.deposits if deposit in account.deposits)
        for theirs in analysis.accounts
        if theirs.root is account.root and theirs.owner.ref != account.owner.ref
        for other in theirs.arrivals
    )


def _in_window(deposit: Deposit, consume: Consume, zero: Zero, line: Line) -> bool:
    """The step closes a window over several backwards, and each of them meets the zeroing."""
    here, there = deposit.site, consume.site
    if zero.site.function is not here.function or here.function is not there.function:
        return False
    if len(here.loops) > len(there.loops):
        # Under a guard of its own it does not run for every micro-batch.
        always = all(g.decided or g in here.guards for g in zero.site.guards)
        around = here.loops[: len(there.loops)] == there.loops
        return around and always and zero.site.loops == here.loops
    if here.loops != there.loops or zero.site.loops != here.loops:
        return False
    closing = [g.test for g in there.guards if g.periodic and g not in here.guards]
    if not closing:
        return False
    # A zeroing under a guard of its own has its reasons: a window that opens, a loss not finite.
    apart = [g for g in zero.site.guards if g not in here.guards and not g.decided]
    if any(guard.test not in closing for guard in apart):
        return False
    # Under the same guard as the step, which has one more: `if i != 0:` for the first window.
    own = [g for g in there.guards if g not in here.guards and not g.decided]
    if apart and len(own) > len(apart) and all(guard in own for guard in apart):
        return False
    return not apart or line(zero) < line(deposit) or line(consume) < line(deposit)
