"""Never success without a whole run: what ended early, or did not run at all, has no verdict."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .command import run
from .conftest import PROGRAMS

_SUDDEN = PROGRAMS / "isolated" / "sudden_ends.py"
_TRAINING = """\
import torch
w = torch.zeros(1, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
for _ in range(3):
    w.sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("how", "status", "said"),
    [
        ("exit", 0, "no gradient bug was seen in 3 steps"),
        ("exit_buggy", 1, "stale"),
        ("exec", 1, "stale"),
        ("killed_child", 2, "a process of the program that trained was killed before its end"),
        ("stopped_child", 0, "no gradient bug was seen in 3 steps"),
    ],
)
def test_a_sudden_end_is_reported_before_it_or_is_no_success(
    how: str, status: int, said: str
) -> None:
    done = run("audit", _SUDDEN, how)
    assert done.returncode == status, done.stdout + done.stderr
    assert said in done.stdout


_DO_NOT_RUN = {
    "import": ("import not_installed\n", "No module named 'not_installed'"),
    "argument": (
        "import argparse\n"
        "parser = argparse.ArgumentParser()\n"
        "parser.add_argument('--data', required=True)\n"
        "parser.parse_args()\n",
        "the following arguments are required: --data",
    ),
    "relative": ("from . import neighbour\n", "attempted relative import"),
    "data": ("open('missing.csv')\n", "missing.csv"),
}
"""What stands in front of the training, and what Python then says."""


def test_programs_that_do_not_run_are_errors_with_their_own_messages(tmp_path: Path) -> None:
    for name, (head, _) in _DO_NOT_RUN.items():
        (tmp_path / f"{name}.py").write_text(head + _TRAINING)
    done = run("verify", "--jobs", "1", tmp_path)
    assert done.returncode == 2
    assert f"\n{len(_DO_NOT_RUN)} INCONCLUSIVE\n" in done.stdout
    assert all(said in done.stdout for _, said in _DO_NOT_RUN.values()), done.stdout
    done = run("verify", "--jobs", "1", "--output-format", "json", tmp_path)
    assert done.returncode == 2
    documents = {Path(each["path"]).stem: each for each in json.loads(done.stdout)}
    for name, (_, said) in _DO_NOT_RUN.items():
        assert documents[name]["verdict"] == "INCONCLUSIVE"
        assert said in documents[name]["output"]


def test_the_output_that_is_kept_is_only_its_end(tmp_path: Path) -> None:
    from zerograd_lint.runtime.running.run_outcome import read_tail

    log = tmp_path / "output"
    with log.open("wb") as file:
        file.truncate(600_000_000)
        file.seek(0, 2)
        file.write(b"the end")
    text = read_tail(log)
    assert text.endswith("the end")
    assert len(text) < 100_000
