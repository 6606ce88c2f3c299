"""The processes that a command starts: all of them end with it, however it ends."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ..child.audit_request import TOKEN_VARIABLE
from . import keeper

_SECONDS_TO_END = 1.0


class Family:
    """Processes in groups of their own, and a folder for their files."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="zerograd-lint-")).resolve()
        self._token = uuid.uuid4().hex
        self._processes: list[subprocess.Popen[Any]] = []
        self._keeper = subprocess.Popen(
            [sys.executable, "-I", "-S", keeper.__file__, self._mark, str(self.folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
            text=True,
        )

    @property
    def _mark(self) -> str:
        return f"{TOKEN_VARIABLE}={self._token}"

    def start(
        self, command: Sequence[str], environment: dict[str, str], **options: Any
    ) -> subprocess.Popen[Any]:
        """Start a process that ends with the family."""
        process = subprocess.Popen(
            command,
            env={**environment, TOKEN_VARIABLE: self._token},
            start_new_session=True,
            **options,
        )
        self._processes.append(process)
        self._tell_keeper(str(process.pid))
        return process

    def ask_to_end(self) -> None:
        """Let the processes report how far they came, for a second at most."""
        for process in self._processes:
            with contextlib.suppress(OSError):
                os.killpg(process.pid, signal.SIGTERM)
        deadline = time.monotonic() + _SECONDS_TO_END
        for process in self._processes:
            while process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.01)

    def end_processes(self) -> None:
        """End what still runs at once."""
        for process in self._processes:
            keeper.end_group(process.pid)
        keeper.sweep(self._mark)
        for process in self._processes:
            process.wait()
            for pipe in (process.stdin, process.stdout):
                with contextlib.suppress(OSError):
                    if pipe is not None:
                        pipe.close()

    def end(self) -> None:
        """End what still runs, and remove all files."""
        self.end_processes()
        shutil.rmtree(self.folder, ignore_errors=True)
        self._tell_keeper(keeper.DONE)
        with contextlib.suppress(OSError):
            self._keeper.stdin.close()  # type: ignore[union-attr]
        self._keeper.wait()

    def _tell_keeper(self, line: str) -> None:
        with contextlib.suppress(OSError):
            self._keeper.stdin.write(f"{line}\n")  # type: ignore[union-attr]
            self._keeper.stdin.flush()  # type: ignore[union-attr]


@contextlib.contextmanager
def family() -> Iterator[Family]:
    """Processes that end when the block is left in any way, or this process dies in it."""
    started = Family()
    try:
        yield started
    finally:
        started.end()


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
