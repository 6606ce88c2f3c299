"""The recorder: receives every backward pass and step, keeps the accounts, has steps judged.

Judging at the step and not at the backward pass matters: while a generator trains, its loss
legitimately adds to the discriminator's gradients, which are cleared before its own step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import RLock, get_ident
from types import FrameType
from typing import Any

from torch import Tensor
from torch.optim import Optimizer

from ..books.account_book import AccountBook
from ..books.backward_pass import BackwardPass
from ..books.buffer_account import BufferAccount
from ..books.deposits import Deposits
from ..books.gradient_copies import CopyBudget
from ..books.gradient_trace import GradientTrace
from ..books.optimizers import OptimizerRecord, OptimizerRecords
from ..books.reconciler import Reconciler
from ..books.rescaling import Rescaling
from ..books.scrutiny import Scrutiny
from ..call_sites import CallChain, call_chain
from ..judging.clipping_judge import ClippingJudge
from ..judging.clock import Clock
from ..judging.crash import read_crash
from ..judging.curve import Curve
from ..judging.hand_written_judge import HandWrittenJudge
from ..judging.leaks import Leaks
from ..judging.passed_by import passed_by_notes
from ..judging.scaled_losses import scale_of
from ..judging.scaler_state import ScalerState
from ..judging.source_judge import SourceJudge
from ..judging.step_judge import StepJudge
from ..judging.step_lines import StepLines
from ..observation import AuditReport, Crash, Observation
from .failure_guard import guarded
from .leaf_search import LeafSearch
from .running_passes import RunningPass, RunningPasses


class Recorder:
    """The state of an audit of one process's training."""

    def __init__(
        self,
        *,
        trace: GradientTrace | None = None,
        enforce: bool = False,
        after_step: Callable[[int], None] | None = None,
    ) -> None:
        self.clock = Clock()
        self.book = AccountBook()
        self.optimizers = OptimizerRecords()
        self.scaler = ScalerState()
        self.failure: str | None = None
        """What went wrong in the audit itself."""
        self.lock = RLock()
        self._crash: Crash | None = None
        self._none_crash: Observation | None = None
        scrutiny, budget = Scrutiny(enforcing=enforce), CopyBudget()
        self._reconciler = Reconciler(self.book, scrutiny, budget)
        self._deposits = Deposits(self.book, scrutiny, budget)
        self._lines = StepLines()
        self._curve = Curve(self.clock)
        self._leaks = Leaks(self.optimizers)
        sources = SourceJudge(self.clock, self.optimizers, self._leaks, self.scaler)
        self._judge = StepJudge(self.clock, scrutiny, sources)
        self._rescaling = Rescaling(self.book)
        self._clipping = ClippingJudge(self.clock, self._lines, self.scaler)
        self._hand_written = HandWrittenJudge(self.clock, self._lines, self._judge, self._curve)
        self._leaves = LeafSearch(self.book, always=trace is not None)
        self._running = RunningPasses(self.book)
        self._stepping: dict[int, OptimizerRecord] = {}
        """The outermost step that each thread takes."""
        self._trace = trace
        self._after_step = after_step

    # -- backward ---------------------------------------------------------------------------

    @guarded
    def backward_begins(self, roots: Sequence[object], frame: FrameType | None) -> None:
        """A backward pass from these roots begins."""
        running = self._running.current()
        if running is not None:
            running.depth += 1
            return
        self.clock.backwards += 1
        call = call_chain(frame)
        self._leaves.search(call, roots)
        if self._leaks.in_question:
            self._leaks.inspect(call.lines, roots)
        scope = self._running.scope_of(roots)
        accounts = self.book.accounts() if scope is None else scope
        unowned = self.book.without_optimizer() if scope is None else _unowned(scope)
        steps = self.clock.steps
        if unowned:
            self._hand_written.judge_updates(unowned)
        self._reconciler.before_backward(accounts)
        if unowned:
            self._hand_written.judge_wiped(unowned)
        if self._after_step is not None and self.clock.steps > steps:
            self._after_step(self.clock.steps)
        if self._leaks.in_question:
            self._deposits.copy_foreign(self._leaks.leaked_into(call.lines))
        scale = scale_of(roots) if self.scaler.in_use else None
        begun = BackwardPass(self.clock.backwards, call, scaled=scale is not None)
        self._running.begin(RunningPass(roots, begun, scope))
        self._curve.backward_begins(roots, scale, by_hand=bool(unowned))

    @guarded
    def backward_ends(self) -> None:
        """The innermost running backward pass has ended."""
        ended = self._running.end()
        if ended is None:
            return
        accounts = self.book.accounts() if ended.scope is None else ended.scope
        self._deposits.absorb(accounts, ended.backward_pass)
        if not ended.backward_pass.reached:
            self._leaves.search_again(ended.backward_pass.call)
        if self._trace is not None:
            self._trace.record_hand_written(self.book.without_optimizer())

    # -- optimizers -------------------------------------------------------------------------

    @guarded
    def optimizer_grew(self, optimizer: Optimizer) -> None:
        """Parameters were added to the optimizer."""
        self._running.notice_thread()
        self.optimizers.of(optimizer).accounts(optimizer, self.book)

    @guarded
    def step_begins(
        self, optimizer: Optimizer, args: tuple[Any, ...], kwargs: dict[str, Any], frame: FrameType
    ) -> tuple[tuple[Any, ...], dict[str, Any]] | None:
        """Judge the step, or have its closure judge it; returns the arguments if they change."""
        self._running.notice_thread()
        call = call_chain(frame)
        record = self.optimizers.of(optimizer)
        if not call.nested_in_step:
            self._stepping[get_ident()] = record
        elif self._is_covered(record, optimizer):
            return None  # a wrapper's inner optimizer: the outer step is the one that counts
        closure = kwargs.get("closure", args[1] if len(args) > 1 else None)
        if not callable(closure):
            self._judge_step(record, optimizer, call)
            return None

        def observed_closure() -> object:
            result = closure()
            self._judge_evaluation(record, optimizer, call)
            return result

        if "closure" in kwargs:
            return args, {**kwargs, "closure": observed_closure}
        return (args[0], observed_closure, *args[2:]), kwargs

    def _is_covered(self, inner: OptimizerRecord, optimizer: Optimizer) -> bool:
        """Whether the step around this one judges the same parameters, and maybe more."""
        outer = self._stepping.get(get_ident())
        if outer is None:
            return False
        judged = set(map(id, outer.known_accounts()))
        return judged.issuperset(map(id, inner.accounts(optimizer, self.book)))

    @guarded
    def _judge_evaluation(
        self, record: OptimizerRecord, optimizer: Optimizer, call: CallChain
    ) -> None:
        """Each evaluation of a closure counts as a step."""
        self._judge_step(record, optimizer, call)

    def _judge_step(self, record: OptimizerRecord, optimizer: Optimizer, call: CallChain) -> None:
        accounts = record.accounts(optimizer, self.book)
        running = self._running.current()
        if running is not None:  # stepping from a hook inside the pass
            self._deposits.absorb(accounts, running.backward_pass)
        else:
            self._reconciler.before_step(accounts)
        self.clock.steps += not call.nested_in_step
        record.steps += 1
        if self._trace is not None:
            self._trace.record_step(record.key, accounts)
        line = self._lines.at_call(record.key, record.label, call)
        line.steps += 1
        error = self._judge.apply(record, line, accounts)
        if self._curve.wants(record.key, record.steps, record.size):
            self._curve.draw(record.key, record.steps, accounts, error)

    def step_ends(self, optimizer: Optimizer) -> None:
        """A step of this optimizer has ended."""
        if self._after_step is None and self._judge.unsure_wipe is None:
            return
        stepping = self._stepping.get(get_ident())
        if stepping is None or stepping.reference() is not optimizer:
            return
        if self._judge.unsure_wipe is not None:
            self._judge_ended_step()
        if self._after_step is not None:
            self._after_step(self.clock.steps)

    @guarded
    def _judge_ended_step(self) -> None:
        self._judge.step_ended()

    @guarded
    def unscaled(self, optimizer: Optimizer) -> None:
        """A GradScaler has divided its scale out of the optimizer's gradients."""
        record = self.optimizers.of(optimizer)
        self.scaler.unscaled(record.key, record.accounts(optimizer, self.book))

    @guarded
    def scaler_step_begins(self, optimizer: Optimizer) -> int:
        """A GradScaler is about to step the optimizer; returns how often that has stepped."""
        record = self.optimizers.of(optimizer)
        self.scaler.step_begins(record.key)
        return record.steps

    @guarded
    def scaler_step_ends(self, optimizer: Optimizer, steps_before: int, frame: FrameType) -> None:
        """A GradScaler's step has ended, with a step of the optimizer or without."""
        self.scaler.step_ends()
        if self.optimizers.of(optimizer).steps == steps_before:
            self._step_was_skipped(optimizer, frame)

    def _step_was_skipped(self, optimizer: Optimizer, frame: FrameType) -> None:
        """A GradScaler found infinities and left the step out: these gradients are spent."""
        record = self.optimizers.of(optimizer)
        accounts = record.accounts(optimizer, self.book)
        self._reconciler.before_step(accounts)
        stale = [account for account in accounts if account.is_stale]
        if stale:
            line = self._lines.at_site(record.key, record.label, call_chain(frame).site)
            line.steps += 1
            self._judge.saw_stale(line, stale)
        for account in accounts:
            account.consumed(record.keys)

    @guarded
    def clipped(self, parameters: Sequence[Tensor], frame: FrameType) -> None:
        """Gradients are about to be clipped: are they still multiplied by the loss scale?"""
        if self.scaler.in_use:
            self._clipping.judge(map(self.book.account_of, parameters), call_chain(frame).site)

    @guarded
    def rescaling_begins(self, parameters: Sequence[Tensor]) -> list[BufferAccount]:
        """Torch is about to clip or unscale; returns the accounts of gradients that it may."""
        return self._rescaling.begins(parameters)

    @guarded
    def rescaling_ends(self, accounts: list[BufferAccount]) -> None:
        """Torch has clipped or unscaled the gradients of these accounts."""
        self._rescaling.ends(accounts)

    # -- the end ----------------------------------------------------------------------------

    def crashed(self, error: BaseException) -> None:
        """The program ended with this exception."""
        self._crash, self._none_crash = read_crash(error)

    @guarded
    def _judge_last_update(self) -> None:
        if self._running.others_may_train():
            return
        unowned = self.book.without_optimizer()
        self._hand_written.judge_updates(unowned)
        self._reconciler.before_step(self.book.accounts())
        self._hand_written.judge_wiped(unowned)

    def report(self, *, stopped_early: bool = False) -> AuditReport:
        """What has been seen so far."""
        self._judge_last_update()
        left_over = {
            key for account in self.book.accounts() if account.fresh for key in account.optimizers
        }
        observations = self._lines.observations(left_over)
        if self._none_crash is not None:
            observations.append(self._none_crash)
        return AuditReport(
            observations=observations,
            steps=self.clock.steps,
            backwards=self.clock.backwards,
            devices=sorted(self._curve.devices),
            curve=self._curve.to_json(),
            crash=self._crash,
            failure=self.failure,
            notes=passed_by_notes(self.book, self.optimizers),
            stopped_early=stopped_early,
            scaler_switched_off=self.scaler.switched_off,
        )


def _unowned(accounts: list[BufferAccount]) -> list[BufferAccount]:
    return [account for account in accounts if not account.optimizers]
