"""The auditor: hears of every backward pass and step, and judges at the step.

Judging at the step and not at the deposit matters: while a generator trains, its loss legitimately
soils the discriminator, which is cleaned before its own step.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any, Concatenate, ParamSpec, TypeVar

from torch import Tensor
from torch.optim import Optimizer

from .books import Books, gradients
from .content import total_norm
from .curve import Curve, Point
from .evidence import StepLine
from .graph import leaves
from .hand_written import HandWritten
from .judge import Clock, Judge
from .ledger import BackwardPass, Ledger
from .observation import AuditReport, Crash, Observation
from .owners import Owners
from .scaling import Scaling
from .sites import Call, Site, calling
from .trace import Trace
from .wrongness import NOTHING_APPLIED

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")

_BY_HAND = 0
_HAND = frozenset({_BY_HAND})
"""Stands for the optimizer where an update is written by hand."""

_GRAPHS_READ = 3
"""So often is the graph of one backward line searched for parameters without an optimizer."""


def _out_of_the_way(
    method: Callable[Concatenate[Recorder, _Arguments], _Result],
) -> Callable[Concatenate[Recorder, _Arguments], _Result | None]:
    """A mistake of ours must not end somebody's training: note it, and listen no longer."""

    @functools.wraps(method)
    def guarded(
        self: Recorder, /, *args: _Arguments.args, **kwargs: _Arguments.kwargs
    ) -> _Result | None:
        if self.failure is not None:
            return None
        try:
            return method(self, *args, **kwargs)
        except Exception as error:
            self.failure = f"{type(error).__name__}: {error}"
            return None

    return guarded


class Recorder:
    """Everything known about one process's training so far."""

    def __init__(
        self, *, trace: Trace | None = None, after_step: Callable[[int], None] | None = None
    ) -> None:
        self.books = Books()
        self.owners = Owners()
        self.scaling = Scaling()
        self.failure: str | None = None
        """What went wrong in the audit itself."""
        self.crash: Crash | None = None
        self.none_crash: Observation | None = None
        self.clock = Clock()
        self._judge = Judge(self.clock, self.books, self.owners, self.scaling)
        self._hand_written = HandWritten(self.books)
        self._curve = Curve()
        self._lines: dict[tuple[int, Site], StepLine] = {}
        self._graphs_read: dict[Call, int] = {}
        self._depth = 0
        self._stepping = 0
        self._pass: BackwardPass | None = None
        self._loss: Tensor | None = None
        self._devices: set[str] = set()
        self._trace = trace
        self._after_step = after_step

    # -- backward ---------------------------------------------------------------------------

    @_out_of_the_way
    def backward_begins(self, roots: Sequence[object], frame: FrameType | None) -> None:
        self._depth += 1
        if self._depth > 1:
            return  # a pass within a pass (reentrant checkpointing) belongs to the outer one
        self.clock.backwards += 1
        call = calling(frame)
        self._discover_leaves(call, roots)
        self._judge.leaks.inspect(call.chain, roots)
        if self.books.unowned():
            self._judge_hand_written()
        self.books.settle(self.books.ledgers(), before_backward=True)
        if self.books.unowned():
            self._judge_hand_wiped()
        self.books.copy_own(self._judge.leaks.soiled_by(call.chain))
        scaled = self.scaling.next_backward_is_scaled()
        self._pass = BackwardPass(self.clock.backwards, call, scaled)
        first: Any = roots[0] if roots else None
        is_scalar = isinstance(first, Tensor) and first.numel() == 1
        self._loss = first.detach() if is_scalar else None

    @_out_of_the_way
    def backward_ends(self) -> None:
        self._depth -= 1
        if self._depth or self._pass is None:
            return
        self.books.absorb(self.books.ledgers(), self._pass)
        if self._trace is not None:
            self._trace.record_hand_written(self.books.unowned())

    def _discover_leaves(self, call: Call, roots: Sequence[object]) -> None:
        read = self._graphs_read.get(call, 0)
        if read < _GRAPHS_READ or self._trace is not None:
            self._graphs_read[call] = read + 1
            for leaf in leaves(roots):
                self.books.ledger_of(leaf)

    # -- optimizers -------------------------------------------------------------------------

    @_out_of_the_way
    def optimizer_grew(self, optimizer: Optimizer) -> None:
        self.owners.of(optimizer).ledgers(optimizer, self.books)

    @_out_of_the_way
    def step_begins(
        self, optimizer: Optimizer, args: tuple[Any, ...], kwargs: dict[str, Any], frame: FrameType
    ) -> tuple[tuple[Any, ...], dict[str, Any]] | None:
        call = calling(frame)
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

    def step_ends(self, optimizer: Optimizer) -> None:
        if self._stepping != id(optimizer):
            return
        self._step_settled()
        if self._after_step is not None:
            self._after_step(self.clock.steps)

    @_out_of_the_way
    def _step_settled(self) -> None:
        self._judge.step_ended()

    @_out_of_the_way
    def step_was_skipped(self, optimizer: Optimizer, frame: FrameType) -> None:
        """A GradScaler found infinities and left the step out: these gradients are spent."""
        owner = self.owners.of(optimizer)
        ledgers = owner.ledgers(optimizer, self.books)
        self.books.settle(ledgers)
        stale = [ledger for ledger in ledgers if ledger.is_stale]
        if stale:
            line = self._line(owner.key, owner.label, calling(frame).site)
            line.steps += 1
            self._judge.saw_stale(line, stale)
        for ledger in ledgers:
            ledger.consumed(owner.keys)

    @_out_of_the_way
    def clipped(self, parameters: Sequence[Tensor], frame: FrameType) -> None:
        """Gradients are about to be clipped: are they still multiplied by the loss scale?"""
        for parameter in parameters:
            ledger = self.books.ledger_of(parameter)
            scaled = next((each for each in ledger.fresh if each.scaled), None)
            if scaled is None or not ledger.owners:
                continue
            if all(self.scaling.is_scaled_for(key) for key in ledger.owners):
                line = self._line(min(ledger.owners), "clipping", calling(frame).site)
                line.steps += 1
                line.saw("scaled", self.clock.steps + 1, scaled)
            return

    # -- judging ----------------------------------------------------------------------------

    @_out_of_the_way
    def _judge_step(self, optimizer: Optimizer, call: Call) -> None:
        owner = self.owners.of(optimizer)
        ledgers = owner.ledgers(optimizer, self.books)
        if self._depth and self._pass is not None:
            self.books.absorb(ledgers, self._pass)  # stepping from a hook inside the pass
        else:
            self.books.settle(ledgers)
        self.clock.steps += 1
        owner.steps += 1
        if self._trace is not None:
            self._trace.record_step(owner.key, ledgers)
        line = owner.lines.get(call)
        if line is None:
            line = owner.lines[call] = self._line(owner.key, owner.label, call.site)
        line.steps += 1
        error = self._judge.apply(owner, line, ledgers)
        if self._curve.wants(owner.steps, owner.size):
            self._draw(owner.key, owner.steps, ledgers, error)

    @_out_of_the_way
    def _settle_hand_written(self) -> None:
        self._judge_hand_written()
        self.books.settle(self.books.ledgers())
        self._judge_hand_wiped()

    def _judge_hand_written(self) -> None:
        moved = [
            ledger for ledger in self._hand_written.updated() if ledger.fresh or ledger.applied
        ]
        if not moved:
            return
        newest = max(
            (each for ledger in moved for each in (*ledger.fresh, *ledger.applied)),
            key=lambda each: each.number,
        )
        line = self._hand_line(newest)
        line.fed += 1
        stale = [ledger for ledger in moved if ledger.is_stale or ledger.repeats(_BY_HAND)]
        error = self._judge.saw_stale(line, stale) if stale else None
        for ledger in moved:
            ledger.consumed(_HAND)
        if self._curve.wants(line.steps):
            self._draw(_BY_HAND, line.steps, moved, error)

    def _judge_hand_wiped(self) -> None:
        wiped = self._hand_written.wiped()
        if wiped:
            line = self._hand_line(wiped[0].lost[-1])
            line.saw("wiped", self.clock.steps, wiped[0].lost[-1], NOTHING_APPLIED)
        for ledger in self.books.unowned():
            if ledger.lost:
                ledger.consumed(_HAND)

    def _hand_line(self, backward_pass: BackwardPass) -> StepLine:
        self.clock.steps += 1
        line = self._line(_BY_HAND, "the update written by hand", backward_pass.call.site)
        line.steps += 1
        return line

    def _line(self, key: int, owner: str, site: Site) -> StepLine:
        line = self._lines.get((key, site))
        if line is None:
            line = self._lines[key, site] = StepLine(key, owner, site)
        return line

    def _draw(self, owner: int, turn: int, ledgers: list[Ledger], error: float | None) -> None:
        present = gradients(ledgers)
        if present:
            self._devices.add(present[0].device.type)
        norm = total_norm(present) if present else 0.0
        self._curve.add(Point(self.clock.steps, turn, owner, norm, self._loss, error))

    # -- the end ----------------------------------------------------------------------------

    def report(self, *, stopped_early: bool = False) -> AuditReport:
        """What has been seen so far."""
        if not self._depth:
            self._settle_hand_written()
        left_over = any(ledger.fresh for ledger in self.books.ledgers() if ledger.owners)
        observations = [
            observation
            for line in self._lines.values()
            for observation in line.observations(backward_left_over=left_over)
        ]
        if self.none_crash is not None:
            observations.append(self.none_crash)
        return AuditReport(
            observations=observations,
            steps=self.clock.steps,
            backwards=self.clock.backwards,
            devices=sorted(self._devices),
            curve=self._curve.to_json(),
            crash=self.crash,
            failure=self.failure,
            stopped_early=stopped_early,
        )
