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
    assert not gradient_audit.clean

def test_fails_by_itself(gradient_audit):
    steps(zero=False)
    raise ValueError("of its own")

def test_torch_is_as_before():
    assert "zerograd" not in torch.autograd.backward.__code__.co_filename
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
    assert "2 failed, 4 passed" in done.stdout, done.stdout
    assert "error" not in done.stdout.splitlines()[-1]
    assert "FAILED test_it.py::test_wrong - " in done.stdout
    assert "stale: SGD.step() applied gradients" in done.stdout
    assert "FAILED test_it.py::test_fails_by_itself - ValueError: of its own" in done.stdout
