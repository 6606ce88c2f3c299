"""Bounds on what a run costs, generous enough for a busy machine."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import BUGGY

FASTEST_OF = 3


def _cpu_seconds(*arguments: str) -> float:
    """User and system time of one run from start to exit, the best of a few."""

    def once() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-m", "zerograd_lint", *arguments], capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    return min(once() for _ in range(FASTEST_OF))


def test_a_file_that_does_not_train_is_nearly_free(project: Path) -> None:
    (project / "a.py").write_text("import torch\n" + "x = torch.zeros(3)\n" * 400)
    assert _cpu_seconds("check", "a.py") < 0.12


def test_an_unchanged_second_run_needs_no_analysis(project: Path) -> None:
    clean = BUGGY.replace("loss.b", "optimizer.zero_grad(); loss.b")
    for number in range(12):
        (project / f"m{number}.py").write_text(f"# {number}\n{clean * 5}")
    cold = _cpu_seconds("check", "--no-cache", "-j", "1")
    assert _cpu_seconds("check", "-j", "1") < cold / 3


@pytest.mark.parametrize("count", [2000])
def test_many_other_files_cost_little_more_than_reading_them(project: Path, count: int) -> None:
    text = "import torch\n\n\ndef f(x):\n    return x.backward_hook\n" * 40
    for folder in range(count // 100):
        (project / f"p{folder}").mkdir()
        for number in range(100):
            (project / f"p{folder}" / f"m{number}.py").write_text(text)
    assert _cpu_seconds("check", ".") < 0.12 + count * 100e-6
