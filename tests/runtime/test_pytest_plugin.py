"""The `gradient_audit` fixture fails tests that train wrongly, and only those."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

_TESTS = """
import torch

def steps(zero):
    w = torch.nn.Parameter(torch.zeros(3))
    optimizer = torch.optim.SGD([w], lr=0.1)
    for _ in range(3):
        if zero:
            optimizer.zero_grad()
        w.sum().backward()
        optimizer.step()

def test_right(gradient_audit):
    steps(zero=True)

def test_wrong(gradient_audit):
    steps(zero=False)

def test_wrong_but_not_asked():
    steps(zero=False)

def test_looks_itself(gradient_audit):
    assert gradient_audit.steps == 0
"""


def test_the_fixture(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(_TESTS)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:randomly", "-v", "."],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert "3 passed, 1 error" in done.stdout or "4 passed, 1 error" in done.stdout, done.stdout
    assert "ERROR test_it.py::test_wrong" in done.stdout
    assert "stale: SGD.step() applied gradients" in done.stdout
