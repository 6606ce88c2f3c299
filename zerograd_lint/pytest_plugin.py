"""A pytest fixture that fails a test in which a training step applied the wrong gradients.

def test_training(gradient_audit):
    train(steps=10)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from .runtime import AuditReport


@pytest.fixture
def gradient_audit() -> Iterator[AuditReport]:
    """Watch all training in this test; fail it if a gradient bug is seen."""
    from .runtime import TorchMissing, audit

    try:
        watch = audit()
    except TorchMissing as error:
        pytest.skip(str(error))
    with watch as report:
        yield report
    if report.failure is not None:
        pytest.fail(f"the gradient audit failed: {report.failure}", pytrace=False)
    if not report.clean:
        pytest.fail(report.text(), pytrace=False)
