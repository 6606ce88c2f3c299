from __future__ import annotations

from collections.abc import Iterator

from ..argument import Question
from ..events.event import Consume, Deposit, Zero
from ..events.site import Guard
from ..fixing.plan import Plan, Report
from ..ledger.account import Account
from ..ledger.analysis import Analysis
from ..ledger.automata.balance import Balance, Status
from ..ledger.reach import Reach
from ..vocabulary.calls import Effect
from .rule import Line, Rule
from .shared.windows import alternates, guards_of, out_of_phase, wiped_in_window
from .shared.zeroing_place import after_step


class AccumulationDefeated(Rule):
    """
    ## What it does

    Finds gradient accumulation that does not accumulate: gradients are cleared on every
    micro-batch, or in the middle of a window, but applied on every n-th only; the step comes before
    the last backward of its window; the modulo that decides is inverted, or its operands are
    swapped; or the backward runs on every n-th batch only, as the step does.

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
    needs = (Effect.DEPOSIT | Effect.CONSUME | Effect.IRREGULAR,)
    asks = (Question.WIPES,)
    proof = "defeated"
    example = "zero_every_micro_batch"

    def check(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        for account in analysis.accounts:
            for consume, balances in account.arrivals.items():
                if alternates(account, consume) or _is_delayed(account, consume, analysis):
                    continue
                yield from self._cleared(account, consume, balances, analysis, line)
                yield from self._miscounted(account, consume)
                yield from self._skipped(account, consume, line)

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
                or not all(wiped_in_window(account, d, consume, zero) for d in balance.fresh)
            ):
                continue
            reported.add(zero)
            in_order = account.places.in_order
            late = [d for d in balance.fresh if in_order(consume, d) and in_order(d, zero)]
            if out_of_phase(account, zero, consume):
                yield self._at_another_time(consume, zero, line)
            elif late and zero.site.guards:
                yield self._too_late(consume, late[0], zero, line)
            elif any(deposit.managed for deposit in balance.fresh) and not zero.site.guards:
                yield self._not_held_back(consume, zero, line)
            else:
                managed = any(deposit.managed for deposit in balance.fresh)
                together = managed or _same_passes(account, zero, consume)
                place = after_step(consume, account, analysis, line)
                moves = _is_cleared_here_only(account, zero, consume)
                plans = (place.move(zero.site),) if moves else ()
                yield self._too_often(consume, zero, plans, line, together=together)

    def _too_often(
        self, consume: Consume, zero: Zero, plans: tuple[Plan, ...], line: Line, *, together: bool
    ) -> Report:
        step = f"{consume.call} (line {line(consume)})"
        what = f"on every micro-batch, but {step} runs only now and then"
        if together:
            what = f"before the last backward of its window: zero_grad() and {step} run only there"
        # A helper that steps may have another name for it than the code that clears.
        elsewhere = zero.site.function is not consume.site.function
        name = zero.spelling if elsewhere and not zero.of_module else consume.spelling
        return Report(
            zero,
            f"'{name}' is cleared {what}, so all but the last micro-batch are lost",
            ((consume, "only this step should be followed by a zeroing"),),
            plans,
            "zero after the step",
        )

    def _not_held_back(self, consume: Consume, zero: Zero, line: Line) -> Report:
        return Report(
            zero,
            f"'{consume.spelling}' is cleared here on every micro-batch, which its launcher does "
            f"not hold back as it does the step (line {line(consume)}): all but the last "
            "micro-batch are lost",
            ((consume, "this step waits for the end of the window"),),
            advice=f"call {consume.spelling}.zero_grad() instead",
        )

    def _at_another_time(self, consume: Consume, zero: Zero, line: Line) -> Report:
        return Report(
            zero,
            f"'{consume.spelling}' is cleared in the middle of its window: this test and that of "
            f"the step (line {line(consume)}) count to different batches, and what was computed "
            "before is lost",
            ((consume, "the window ends here"),),
            advice="zero right after the step",
        )

    def _too_late(self, consume: Consume, deposit: Deposit, zero: Zero, line: Line) -> Report:
        return Report(
            consume,
            f"'{consume.spelling}' steps before the last backward of its window (line "
            f"{line(deposit)}), which is then cleared (line {line(zero)}): one micro-batch of "
            "each window is lost",
            ((zero, "what the last backward computed is thrown away here"),),
            advice="step after the backward",
        )

    def _miscounted(self, account: Account, consume: Consume) -> Iterator[Report]:
        """The test of the step lets the wrong passes through."""
        if not _comes_round(account, consume):
            return  # it applies what is left over, and the loop ends
        feeding = [d for d in account.deposits if account.places.beside(d, consume)]
        for guard in guards_of(consume, account):
            if not _arrive_without(guard, feeding, account):
                continue
            if guard.swapped:
                why = (
                    "only while the counter divides the length of the window, and never after it: "
                    "the operands of this modulo are swapped"
                )
                advice = "divide the counter by the length"
            elif guard.inverted and not guard.halves:
                why = "on all batches but every n-th: the modulo of this accumulation is inverted"
                advice = "compare it with == 0"
            else:
                continue
            yield Report(
                consume,
                f"'{consume.spelling}' steps {why}",
                tuple((deposit, "gradients arrive on every batch") for deposit in feeding),
                advice=advice,
            )
            return

    def _skipped(self, account: Account, consume: Consume, line: Line) -> Iterator[Report]:
        """Every backward stands under the guard that belongs to the step alone."""
        deposits = account.deposits
        if account.surroundings.other_consumes or not deposits:
            return
        counting = {
            tuple(guard for guard in guards_of(deposit, account) if guard.periodic)
            for deposit in deposits
        }
        guards = counting.pop()
        beside = all(account.places.beside(deposit, consume) for deposit in deposits)
        if counting or len(guards) != 1 or not beside:
            return
        cycle = guards[0].cycle
        divided = [d for d in deposits if cycle is not None and cycle.period in d.divisors]
        for deposit in divided[:1]:
            yield Report(
                deposit,
                f"only every n-th batch is backpropagated before '{consume.spelling}' steps (line "
                f"{line(consume)}), though the loss is divided by n: the other batches are "
                "computed for nothing",
                ((consume, "only this belongs under the test"),),
                advice="leave only the step under this test",
            )


def _comes_round(account: Account, consume: Consume) -> bool:
    """Whether the loop of a step goes on behind it, to that step or another."""
    arriving = (*account.arrivals.values(), *account.rare_arrivals.values())
    return any(b.since is consume and not b.level for balances in arriving for b in balances)


def _arrive_without(guard: Guard, feeding: list[Deposit], account: Account) -> bool:
    """Gradients arrive on the passes that a guard leaves out, and are part of the same window."""
    outside = [d for d in feeding if guard not in guards_of(d, account)]
    if len(outside) == len(feeding) or not outside:
        return bool(outside)
    # Under both branches of the guard, by what they are divided.
    cycle = guard.cycle or guard.skipped_cycle
    return cycle is not None and all(cycle.period in deposit.divisors for deposit in feeding)


def _is_cleared_here_only(account: Account, zero: Zero, consume: Consume) -> bool:
    """Whether it is enough to move one zeroing: none beside it may clear the same."""
    own_steps = {step.subject for step in account.surroundings.other_consumes}
    alone = not any(
        reach is Reach.UNSURE and other.subject not in own_steps
        for other, reach in account.clearing.zeros.items()
        if account.places.beside(zero, other)
    )
    return alone and zero.site.function is consume.site.function


def _same_passes(account: Account, zero: Zero, consume: Consume) -> bool:
    """The zeroing runs where the step does, and no more often."""
    zeroed, stepped = (
        [guard for guard in guards_of(event, account) if not guard.decided]
        for event in (zero, consume)
    )
    return bool(zeroed) and zeroed == stepped


def _is_delayed(account: Account, consume: Consume, analysis: Analysis) -> bool:
    """Its backward also feeds an optimizer that steps on every pass, so it is no accumulation."""
    beside = account.places.beside
    return any(
        beside(other, consume)
        and not any(guard.periodic for guard in other.site.guards)
        and any(beside(shared, other) for shared in theirs.deposits if shared in account.deposits)
        for theirs in analysis.accounts
        if theirs.root is account.root and theirs.owner.ref != account.owner.ref
        for other in theirs.arrivals
    )
