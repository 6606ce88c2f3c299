"""The recorder: receives every backward pass and step, keeps the accounts, has steps judged.

Judging at the step and not at the backward pass matters: while a generator trains, its loss
legitimately adds to the discriminator's gradients, which are cleared before its own step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any

from torch import Tensor
from torch.optim import Optimizer

from ..books.account_book import AccountBook
from ..books.backward_pass import BackwardPass
from ..books.deposits import Deposits
from ..books.gradient_copies import CopyBudget
from ..books.gradient_trace import GradientTrace
from ..books.optimizers import OptimizerRecords
from ..books.reconciler import Reconciler
from ..books.scrutiny import Scrutiny
from ..call_sites import CallChain, call_chain
from ..judging.autograd_graph import leaves
from ..judging.clock import Clock
from ..judging.crash import read_crash
from ..judging.curve import Curve
from ..judging.hand_written_judge import HandWrittenJudge
from ..judging.leaks import Leaks
from ..judging.scaler_state import ScalerState
from ..judging.source_judge import SourceJudge
from ..judging.step_judge import StepJudge
from ..judging.step_lines import StepLines
from ..observation import AuditReport, Crash, Observation
from .failure_guard import guarded

_GRAPHS_READ = 3
"""So often is the graph of one backward line searched for parameters without an optimizer."""


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
        self._hand_written = HandWrittenJudge(
            self.clock, self.book, self._lines, self._judge, self._curve
        )
        self._graphs_read: dict[CallChain, int] = {}
        self._backward_depth = 0
        self._pass: BackwardPass | None = None
        self._stepping = 0
        self._trace = trace
        self._after_step = after_step

    # -- backward ---------------------------------------------------------------------------

    @guarded
    def backward_begins(self, roots: Sequence[object], frame: FrameType | None) -> None:
        """A backward pass from these roots begins."""
        self._backward_depth += 1
        if self._backward_depth > 1:
            return  # a pass within a pass (reentrant checkpointing) belongs to the outer one
        self.clock.backwards += 1
        call = call_chain(frame)
        self._discover_leaves(call, roots)
        self._leaks.inspect(call.lines, roots)
        if self.book.without_optimizer():
            self._hand_written.judge_updates()
        self._reconciler.before_backward(self.book.accounts())
        if self.book.without_optimizer():
            self._hand_written.judge_wiped()
        self._deposits.copy_own(self._leaks.leaked_into(call.lines))
        scaled = self.scaler.next_backward_is_scaled()
        self._pass = BackwardPass(self.clock.backwards, call, scaled)
        first: Any = roots[0] if roots else None
        is_scalar = isinstance(first, Tensor) and first.numel() == 1
        self._curve.loss = first.detach() if is_scalar else None

    @guarded
    def backward_ends(self) -> None:
        """The innermost running backward pass has ended."""
        self._backward_depth -= 1
        if self._backward_depth or self._pass is None:
            return
        self._deposits.absorb(self.book.accounts(), self._pass)
        if self._trace is not None:
            self._trace.record_hand_written(self.book.without_optimizer())

    def _discover_leaves(self, call: CallChain, roots: Sequence[object]) -> None:
        read = self._graphs_read.get(call, 0)
        if read < _GRAPHS_READ or self._trace is not None:
            self._graphs_read[call] = read + 1
            for leaf in leaves(roots):
                self.book.account_of(leaf)

    # -- optimizers -------------------------------------------------------------------------

    @guarded
    def optimizer_grew(self, optimizer: Optimizer) -> None:
        """Parameters were added to the optimizer."""
        self.optimizers.of(optimizer).accounts(optimizer, self.book)

    @guarded
    def step_begins(
        self, optimizer: Optimizer, args: tuple[Any, ...], kwargs: dict[str, Any], frame: FrameType
    ) -> tuple[tuple[Any, ...], dict[str, Any]] | None:
        """Judge the step, or have its closure judge it; returns the arguments if they change."""
        call = call_chain(frame)
        if call.nested_in_step:
            return None  # a wrapper's inner optimizer: the outer step is the one that counts
        self._stepping = id(optimizer)
        closure = kwargs.get("closure", args[1] if len(args) > 1 else None)
        if not callable(closure):
            self._judge_step(optimizer, call)
            return None

        def observed_closure() -> object:
            result = closure()
            self._judge_step(optimizer, call)
            return result

        if "closure" in kwargs:
            return args, {**kwargs, "closure": observed_closure}
        return (args[0], observed_closure, *args[2:]), kwargs

    @guarded
    def _judge_step(self, optimizer: Optimizer, call: CallChain) -> None:
        record = self.optimizers.of(optimizer)
        accounts = record.accounts(optimizer, self.book)
        if self._backward_depth and self._pass is not None:
            self._deposits.absorb(accounts, self._pass)  # stepping from a hook inside the pass
        else:
            self._reconciler.before_step(accounts)
        self.clock.steps += 1
        record.steps += 1
        if self._trace is not None:
            self._trace.record_step(record.key, accounts)
        line = self._lines.at_call(record.key, record.label, call)
        line.steps += 1
        error = self._judge.apply(record, line, accounts)
        if self._curve.wants(record.steps, record.size):
            self._curve.draw(record.key, record.steps, accounts, error)

    def step_ends(self, optimizer: Optimizer) -> None:
        """A step of this optimizer has ended."""
        if self._stepping != id(optimizer):
            return
        self._judge_ended_step()
        if self._after_step is not None:
            self._after_step(self.clock.steps)

    @guarded
    def _judge_ended_step(self) -> None:
        self._judge.step_ended()

    @guarded
    def step_was_skipped(self, optimizer: Optimizer, frame: FrameType) -> None:
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
        for parameter in parameters:
            account = self.book.account_of(parameter)
            scaled = next((each for each in account.fresh if each.scaled), None)
            if scaled is None or not account.optimizers:
                continue
            if all(self.scaler.is_scaled_for(key) for key in account.optimizers):
                first = min(account.optimizers)
                line = self._lines.at_site(first, "clipping", call_chain(frame).site)
                line.steps += 1
                line.saw("scaled", self.clock.steps + 1, scaled)
            return

    # -- the end ----------------------------------------------------------------------------

    def crashed(self, error: BaseException) -> None:
        """The program ended with this exception."""
        self._crash, self._none_crash = read_crash(error)

    @guarded
    def _judge_last_update(self) -> None:
        self._hand_written.judge_updates()
        self._reconciler.before_step(self.book.accounts())
        self._hand_written.judge_wiped()

    def report(self, *, stopped_early: bool = False) -> AuditReport:
        """What has been seen so far."""
        if not self._backward_depth:
            self._judge_last_update()
        left_over = any(account.fresh for account in self.book.accounts() if account.optimizers)
        observations = self._lines.observations(backward_left_over=left_over)
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
            stopped_early=stopped_early,
        )
