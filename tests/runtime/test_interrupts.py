"""Ctrl-C and sudden deaths: everything ends at once, and what was seen so far is said."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from .command import command, environment, leftovers, processes_in
from .conftest import PROGRAMS

_SLOW = """\
import subprocess
import sys
import time
import torch

w = torch.zeros(1, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
for _ in range(10_000):
    w.sum().backward()
    optimizer.step()
    time.sleep({pause})
"""
_SECONDS = 10


@pytest.fixture
def verifying(tmp_path: Path) -> subprocess.Popen[str]:
    """A `verify` in the middle of its runs: one file is settled, the second takes for ever."""
    for name, pause in (("a_quick", 0), ("b_slow", 600)):
        (tmp_path / f"{name}.py").write_text(_SLOW.format(pause=pause))
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    started = subprocess.Popen(
        command("verify", "--jobs", "2", "--steps", "3", tmp_path),
        cwd=tmp_path,
        env=environment(temporary),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 120
    # The command, its keeper, two servers, two programs and what those have started.
    while len(processes_in(temporary)) < 8 or not is_stuck(temporary):
        assert time.monotonic() < deadline and started.poll() is None
        time.sleep(0.1)
    time.sleep(2)  # for the verdict on the first
    return started


def is_stuck(temporary: Path) -> bool:
    """Whether the runs of the second file have begun: those of the first were three."""
    return any(int(path.name) >= 5 for path in temporary.glob("zerograd-lint-*/[0-9]*"))


def assert_nothing_is_left(temporary: Path) -> None:
    deadline = time.monotonic() + _SECONDS
    while (processes_in(temporary) or leftovers(temporary)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not processes_in(temporary)
    assert not leftovers(temporary)


def test_ctrl_c_ends_all_runs_and_says_what_was_settled(
    verifying: subprocess.Popen[str], tmp_path: Path
) -> None:
    verifying.send_signal(signal.SIGINT)
    said, errors = verifying.communicate(timeout=_SECONDS)
    assert "interrupted, 1 of 2 files were settled" in errors
    assert "CONFIRMED" in said
    assert "b_slow.py" not in said
    assert verifying.returncode == 1
    assert_nothing_is_left(tmp_path / "temporary")


def test_a_killed_command_leaves_nothing_behind(
    verifying: subprocess.Popen[str], tmp_path: Path
) -> None:
    verifying.kill()
    verifying.communicate(timeout=_SECONDS)
    assert_nothing_is_left(tmp_path / "temporary")


def test_a_killed_audit_leaves_nothing_behind(tmp_path: Path) -> None:
    audit = subprocess.Popen(
        command("audit", PROGRAMS / "isolated" / "hangs.py"),
        env=environment(tmp_path),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    deadline = time.monotonic() + 60
    while len(processes_in(tmp_path)) < 6 and time.monotonic() < deadline:
        time.sleep(0.1)
    audit.kill()
    audit.communicate(timeout=_SECONDS)
    assert_nothing_is_left(tmp_path)


def test_a_killed_server_is_an_error(verifying: subprocess.Popen[str], tmp_path: Path) -> None:
    children = Path(f"/proc/{verifying.pid}/task/{verifying.pid}/children").read_text().split()
    for child in map(int, children):
        if b"fork_server" in Path(f"/proc/{child}/cmdline").read_bytes():
            os.kill(child, signal.SIGKILL)
    said, errors = verifying.communicate(timeout=_SECONDS)
    assert verifying.returncode == 1, errors
    assert said.splitlines()[-1] == "1 CONFIRMED, 1 INCONCLUSIVE"
    assert "the process that ran the program was killed" in said
    assert_nothing_is_left(tmp_path / "temporary")
