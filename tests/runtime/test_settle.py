"""The verdict where the evidence is thin: what was not seen is not refuted."""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path
from typing import Any, cast

import numpy
import pytest

from zerograd_lint import check_source
from zerograd_lint.runtime.compare.settle import Runs, settle
from zerograd_lint.runtime.observation import AuditReport
from zerograd_lint.runtime.running.program import Program
from zerograd_lint.runtime.running.program_pool import ProgramPool
from zerograd_lint.runtime.running.run_outcome import RunOutcome

_TEXT = """\
import torch

w = torch.ones(2, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
for step in range(3):
    (w * w).sum().backward()
    optimizer.step()
"""
_NO_POOL = cast(ProgramPool, None)


def _ended(outcome: RunOutcome) -> Future[RunOutcome]:
    future: Future[RunOutcome] = Future()
    future.set_result(outcome)
    return future


def _outcome(*gradient: float) -> RunOutcome:
    """A whole run of one step in which the audit saw nothing."""
    vectors: dict[str, Any] = {"1/0": numpy.array(gradient)}
    report = AuditReport(steps=1, backwards=1)
    return RunOutcome(report, 0, executed=frozenset(range(1, 9)), vectors=vectors)


@pytest.mark.parametrize(
    ("again", "fixed", "verdict"),
    [
        ((1.0, 0.0), (1.0, 0.0), "REFUTED"),
        ((1.0, 0.0), (0.0, 1.0), "CONFIRMED"),
        # Two equal runs differ: the fix may do anything, and the audit is blind to some bugs.
        ((0.0, 1.0), (1.0, 1.0), "INCONCLUSIVE"),
        ((0.0, 1.0), (1.0, 0.0), "INCONCLUSIVE"),
    ],
)
def test_nothing_is_refuted_where_two_equal_runs_differ(
    again: tuple[float, ...], fixed: tuple[float, ...], verdict: str
) -> None:
    (finding,) = check_source(_TEXT)
    path = Path("train.py")
    outcomes = [_ended(_outcome(*each)) for each in ((1.0, 0.0), again, fixed)]
    runs = Runs(path, _TEXT, [finding], Program(path), outcomes[0], outcomes[1], [outcomes[2]])
    (settled,) = settle(runs, _NO_POOL)
    assert settled.verdict == verdict, settled.evidence
