"""A pytest fixture that fails a test in which a training step applied the wrong gradients.

def test_training(gradient_audit):
    train(steps=10)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from .runtime import AuditReport

_END_OF_AUDIT = pytest.StashKey[Callable[[], None]]()


@pytest.fixture
def gradient_audit(request: pytest.FixtureRequest) -> Iterator[AuditReport]:
    """Watch all training in this test; fail it if a gradient bug is seen."""
    from .runtime import TorchMissing, audit

    try:
        watch = audit()
    except TorchMissing as error:
        pytest.skip(str(error))
    with ExitStack() as watching:
        report = watching.enter_context(watch)

        def end() -> None:
            watching.close()
            _fail_if_wrong(report)

        request.node.stash[_END_OF_AUDIT] = end
        yield report


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Judge while the test still runs: what fails later is an error of its teardown."""
    outcome: Any = yield
    end = item.stash.get(_END_OF_AUDIT, None)
    if end is not None and outcome.excinfo is None:
        try:
            end()
        except pytest.fail.Exception as failure:
            outcome.force_exception(failure)


def _fail_if_wrong(report: AuditReport) -> None:
    if report.failure is not None:
        pytest.fail(f"the gradient audit failed: {report.failure}", pytrace=False)
    if not report.clean:
        pytest.fail(report.text(), pytrace=False)
