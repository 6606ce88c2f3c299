"""Runs an unmodified script as `python SCRIPT ARGS`, with the audit agent injected."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from ..child.audit_request import AuditRequest
from . import processes
from .run_outcome import RunOutcome, collect

_CHILD_FOLDER = str(Path(__file__).parents[1] / "child")
_SECONDS_BETWEEN_LOOKS = 0.02


def injected_environment(base: dict[str, str]) -> dict[str, str]:
    """Environment in which every Python interpreter loads the agent."""
    path = base.get("PYTHONPATH")
    joined = f"{_CHILD_FOLDER}{os.pathsep}{path}" if path else _CHILD_FOLDER
    return {**base, "PYTHONPATH": joined}


def launch(
    script: Path,
    arguments: Sequence[str],
    *,
    steps: int | None = None,
    timeout: float,
    device: str = "auto",
    show_output: bool = False,
    while_running: Callable[[Path], None] | None = None,
) -> RunOutcome:
    """Run the script to its end, its step limit or its time limit."""
    with tempfile.TemporaryDirectory(prefix="zerograd-lint-") as name:
        folder = Path(name)
        reports = folder / "reports"
        reports.mkdir()
        environment = injected_environment(dict(os.environ))
        AuditRequest(folder=str(reports), steps=steps, device=device).to_environment(environment)
        log = folder / "output"
        with log.open("wb") as output:
            command = [sys.executable, str(script), *arguments]
            # A script's own output must not mix with the report on standard output.
            target = sys.stderr.fileno() if show_output else output
            options = {"stdin": subprocess.DEVNULL, "stdout": target, "stderr": target}
            with processes.group(command, environment, **options) as process:
                returncode = _wait(process, timeout, reports, while_running)
        text = log.read_text(errors="replace")
        return collect(reports, returncode, text, device=device)


def _wait(
    process: subprocess.Popen[bytes],
    timeout: float,
    reports: Path,
    while_running: Callable[[Path], None] | None,
) -> int | None:
    deadline = time.monotonic() + timeout
    while True:
        try:
            return process.wait(_SECONDS_BETWEEN_LOOKS)
        except subprocess.TimeoutExpired:
            if time.monotonic() > deadline:
                return None
        if while_running is not None:
            while_running(reports)
