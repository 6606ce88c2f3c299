"""Runs an unmodified program as `python …`, with the audit agent injected."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...files.kinds import NOTEBOOK, kind_of
from ..child.audit_request import AUTO, AuditRequest
from . import processes
from .run_outcome import RunOutcome, collect, read_tail

_CHILD_FOLDER = str(Path(__file__).parents[1] / "child")
_NOTEBOOK_MAIN = str(Path(_CHILD_FOLDER, "notebook_main.py"))
_SECONDS_BETWEEN_LOOKS = 0.02


@dataclass(frozen=True, slots=True)
class LaunchOptions:
    """How to run a program under audit."""

    timeout: float
    steps: int | None = None
    device: str = AUTO
    show_output: bool = False
    """Show what it prints on standard error while it runs."""
    stdin: bool = False
    """Let it read our own standard input."""


def injected_environment(base: dict[str, str]) -> dict[str, str]:
    """Environment in which every Python interpreter loads the agent."""
    path = base.get("PYTHONPATH")
    joined = f"{_CHILD_FOLDER}{os.pathsep}{path}" if path else _CHILD_FOLDER
    return {**base, "PYTHONPATH": joined}


def script_words(path: str) -> list[str]:
    """What stands after `python` to run this script or notebook."""
    is_notebook = kind_of(path) == NOTEBOOK
    return [_NOTEBOOK_MAIN, path] if is_notebook else [path]


def launch(
    words: Sequence[str],
    options: LaunchOptions,
    while_running: Callable[[Path], None] = lambda reports: None,
) -> RunOutcome:
    """Run `python WORDS` to its end, its step limit, its time limit, or an interrupt."""
    with processes.family() as family:
        reports = family.folder / "reports"
        reports.mkdir()
        environment = injected_environment(dict(os.environ))
        request = AuditRequest(folder=str(reports), steps=options.steps, device=options.device)
        request.to_environment(environment)
        log = family.folder / "output"
        interrupted = False
        with log.open("wb") as output:
            # A script's own output must not mix with the report on standard output.
            target = sys.stderr.fileno() if options.show_output else output
            process = family.start(
                [sys.executable, *words],
                environment,
                stdin=None if options.stdin else subprocess.DEVNULL,
                stdout=target,
                stderr=target,
            )
            try:
                returncode = _wait(process, options.timeout, lambda: while_running(reports))
            except KeyboardInterrupt:
                returncode, interrupted = None, True
            family.ask_to_end()
            family.end_processes()
        outcome = collect(reports, returncode, read_tail(log), device=options.device)
        outcome.interrupted = interrupted
        return outcome


def _wait(
    process: subprocess.Popen[bytes], timeout: float, while_running: Callable[[], None]
) -> int | None:
    deadline = time.monotonic() + timeout
    while True:
        try:
            return process.wait(_SECONDS_BETWEEN_LOOKS)
        except subprocess.TimeoutExpired:
            if time.monotonic() > deadline:
                return None
        while_running()
