"""The settle benchmark breaks a script in several ways, and remembers what it has run."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.settle import results
from benchmarks.settle.mutants import broken_copies, drawn
from benchmarks.settle.results import Verified
from benchmarks.settle.scripts import load

_RIGHT = """\
import torch

net = torch.nn.Linear(2, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(9):
    loss = net(torch.randn(4, 2)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


def test_broken_copies_are_those_in_which_something_is_found(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(_RIGHT)
    copies = broken_copies(script)
    assert len({copy.operator for copy in copies}) == len(copies) >= 3
    assert {copy.path for copy in copies} | {script} == set(tmp_path.glob("*.py"))
    assert all(copy.path.read_text() != _RIGHT for copy in copies)
    assert len({each.operator for each in drawn(copies, 2, seed=0)}) == 2


def test_results_are_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "results.jsonl"
    results.add(file, "a/b/train.py", 1, [Verified("drop", 3, "ZG001", "CONFIRMED", "stale")])
    results.add(file, "a/b/other.py", 1, [Verified("drop", 3, "ZG001", "NEGLIGIBLE", "small")])
    assert results.scripts(file) == {"a/b/train.py", "a/b/other.py"}
    results.print_table(file)
    assert "| all | 2 | 1 | 0 | 1 | 0 | 0 | 50.0% |" in capsys.readouterr().out


def test_the_table_of_scripts_is_pinned() -> None:
    scripts = load()
    assert len({script.name for script in scripts}) == len(scripts) >= 50
    assert all(len(script.commit) == 40 and script.path.endswith(".py") for script in scripts)
