"""Process groups: every process that a run starts is ended with it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from ..child.audit_request import TOKEN_VARIABLE

_SECONDS_TO_END = 1.0


@contextlib.contextmanager
def group(
    command: Sequence[str], environment: dict[str, str], **options: Any
) -> Iterator[subprocess.Popen[Any]]:
    """A process that is ended, with all it started, when the block is left in any way."""
    token = uuid.uuid4().hex
    process = subprocess.Popen(
        command,
        env={**environment, TOKEN_VARIABLE: token},
        start_new_session=True,
        **options,
    )
    try:
        yield process
    finally:
        end(process)
        for pipe in (process.stdin, process.stdout):
            _close(pipe)
        _end_escaped(token)


def end(process: subprocess.Popen[Any]) -> None:
    """End the group: with SIGTERM first, then with SIGKILL."""
    _signal_group(process.pid, signal.SIGTERM)
    deadline = time.monotonic() + _SECONDS_TO_END
    while process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    _signal_group(process.pid, signal.SIGKILL)
    process.wait()


def _signal_group(identity: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(identity, number)


def _end_escaped(token: str) -> None:
    """Processes that left the group still carry its token in their environment (Linux only)."""
    wanted = f"{TOKEN_VARIABLE}={token}".encode()
    for entry in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if wanted in entry.read_bytes().split(b"\0"):
                os.kill(int(entry.parent.name), signal.SIGKILL)


def _close(pipe: IO[Any] | None) -> None:
    if pipe is not None:
        with contextlib.suppress(OSError):
            pipe.close()


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """Let SIGTERM and SIGHUP unwind like Ctrl-C, so that everything started is ended."""

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    numbers = [signal.SIGTERM, signal.SIGHUP] if hasattr(signal, "SIGHUP") else [signal.SIGTERM]
    try:
        previous = {number: signal.signal(number, interrupt) for number in numbers}
    except ValueError:  # not in the main thread: the embedding program handles signals
        previous = {}
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
