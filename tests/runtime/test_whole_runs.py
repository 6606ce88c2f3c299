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


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import not_installed\n" + _TRAINING, "No module named 'not_installed'"),
        (
            "import argparse\n"
            "parser = argparse.ArgumentParser()\n"
            "parser.add_argument('--data', required=True)\n"
            "parser.parse_args()\n" + _TRAINING,
            "the following arguments are required: --data",
        ),
        ("from . import neighbour\n" + _TRAINING, "attempted relative import"),
        ("open('missing.csv')\n" + _TRAINING, "missing.csv"),
    ],
    ids=["import", "argument", "relative", "data"],
)
def test_a_program_that_does_not_run_is_an_error_with_its_own_message(
    text: str, said: str, tmp_path: Path
) -> None:
    script = tmp_path / "train.py"
    script.write_text(text)
    done = run("verify", "--jobs", "1", script)
    assert done.returncode == 2
    assert "INCONCLUSIVE" in done.stdout
    assert said in done.stdout
    document = json.loads(run("verify", "--output-format", "json", script).stdout)
    assert said in document[0]["output"]


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
