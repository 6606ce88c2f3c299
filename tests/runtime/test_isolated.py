"""Programs that need a process family of their own, run by the real `audit` command."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest

from .command import command, environment, leftovers, processes_in, run
from .conftest import PROGRAMS

_ISOLATED = PROGRAMS / "isolated"
_ARGPARSE = ("--steps", "5", "--device", "abacus", "x", "y z")


@pytest.mark.parametrize(
    ("name", "options", "arguments", "buggy"),
    [
        ("ddp", (), (), True),
        ("ddp", (), ("--bucket-view",), False),
        ("ddp", (), ("--bucket-view",), True),
        ("fsdp1", (), (), False),
        ("fsdp1", (), (), True),
        ("dataloader_workers", (), (), False),
        ("dataloader_workers", (), (), True),
        ("argparse_script", (), _ARGPARSE, False),
        ("swallows_exceptions", ("--steps", "6"), (), False),
        ("swallows_exceptions", ("--steps", "6"), (), True),
    ],
)
def test_exit_status(
    name: str, options: tuple[str, ...], arguments: tuple[str, ...], buggy: bool, tmp_path: Path
) -> None:
    words = [*arguments, "--buggy"] if buggy else [*arguments]
    script = _ISOLATED / f"{name}.py"
    done = run("audit", *options, script, "--", *words, temporary=tmp_path)
    assert done.returncode == (1 if buggy else 0), done.stdout + done.stderr
    assert (f"{name}.py" in done.stdout and "stale" in done.stdout) == buggy
    assert not leftovers(tmp_path)
    assert not processes_in(tmp_path)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("crashes", "crashed after 3 steps: ValueError: out of batches"),
        ("never_steps", "without a single optimizer step"),
        ("no_torch", "never imported torch"),
        ("exits_with_status", "exit code 7 after 3 steps"),
    ],
)
def test_what_cannot_be_judged_is_not_clean(name: str, said: str) -> None:
    done = run("audit", _ISOLATED / f"{name}.py")
    assert done.returncode == 2
    assert said in done.stdout
    assert "no verdict" in done.stdout
    assert "no gradient bug" not in done.stdout


def test_a_bug_seen_before_a_crash_counts() -> None:
    done = run("audit", "--output-format", "json", _ISOLATED / "crashes.py", "--", "--buggy")
    assert done.returncode == 1
    document = json.loads(done.stdout)
    assert [each["kind"] for each in document["observations"]] == ["stale"]
    assert document["crash"]["message"] == "out of batches"
    assert document["steps"] == 3


def test_a_hanging_program_is_killed_with_all_it_started(tmp_path: Path) -> None:
    script = _ISOLATED / "hangs.py"
    done = run("audit", "--timeout", "12", script, temporary=tmp_path)
    assert done.returncode == 2
    assert "killed at the time limit" in done.stdout
    assert "no verdict" in done.stdout
    assert not leftovers(tmp_path)
    assert not processes_in(tmp_path)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "terminated"])
def test_an_interrupt_ends_everything(number: int, tmp_path: Path) -> None:
    audit = subprocess.Popen(
        command("audit", _ISOLATED / "hangs.py"),
        env=environment(tmp_path),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 60
    # The audit itself, its keeper, the script and the three helpers that it starts.
    while len(processes_in(tmp_path)) < 6 and time.monotonic() < deadline:
        time.sleep(0.1)
    audit.send_signal(number)
    said, _ = audit.communicate(timeout=30)
    assert audit.returncode == 2
    assert "interrupted after" in said
    assert "no verdict in" in said
    assert not leftovers(tmp_path)
    assert not processes_in(tmp_path)
