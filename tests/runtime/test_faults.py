"""A few faults at fixed moments; `python -m benchmarks.faults` strikes 200 times at random ones."""

from __future__ import annotations

import sys

import pytest

from benchmarks.faults import strike

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


@pytest.mark.parametrize("seconds", [0.5, 3.0])
@pytest.mark.parametrize(
    ("command", "victim"),
    [("audit", "program"), ("audit", "command"), ("verify", "server"), ("verify", "keeper")],
)
def test_a_killed_process_leaves_no_verdict_no_orphan_and_no_change(
    command: str, victim: str, seconds: float
) -> None:
    fault = strike(command, victim, seconds, right=command == "audit")
    assert not fault.wrong, fault
