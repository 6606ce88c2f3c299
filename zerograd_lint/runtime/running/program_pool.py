"""A pool of fork servers that runs programs for the verifier, several at a time."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from ..child.audit_request import VARIABLE, AuditRequest
from ..child.fork_server import Job
from . import processes
from .launch import injected_environment
from .run_outcome import RunOutcome, collect


@dataclass(frozen=True, slots=True)
class Program:
    """A script to run, perhaps with another source text."""

    script: Path
    arguments: tuple[str, ...] = ()
    replaced: dict[str, str] = field(default_factory=dict)
    watched_file: str | None = None
    enforce: bool = False


class ProgramPool:
    """Gives each program to the first server that is free."""

    def __init__(
        self,
        servers: queue.Queue[subprocess.Popen[str]],
        threads: ThreadPoolExecutor,
        folder: Path,
        *,
        device: str,
        steps: int | None,
        timeout: float,
    ) -> None:
        self._servers = servers
        self._threads = threads
        self._folder = folder
        self._device = device
        self._steps = steps
        self._timeout = timeout
        self._lock = threading.Lock()
        self._count = 0

    def start(self, program: Program) -> Future[RunOutcome]:
        """Run the program as soon as a server is free."""
        return self._threads.submit(self._run, program)

    def _run(self, program: Program) -> RunOutcome:
        with self._lock:
            self._count += 1
            folder = self._folder / str(self._count)
        reports = folder / "reports"
        reports.mkdir(parents=True)
        job = Job(
            script=str(program.script),
            arguments=list(program.arguments),
            request=AuditRequest(
                folder=str(reports),
                steps=self._steps,
                device=self._device,
                trace=True,
                enforce=program.enforce,
                watched_file=program.watched_file,
                replaced=program.replaced,
            ),
            output=str(folder / "output"),
            timeout=self._timeout,
        )
        server = self._servers.get()
        try:
            returncode = _ask(server, job)
        finally:
            self._servers.put(server)
        log = Path(job.output)
        text = log.read_text(errors="replace") if log.exists() else ""
        return collect(reports, returncode, text, device=self._device)


def _ask(server: subprocess.Popen[str], job: Job) -> int | None:
    assert server.stdin is not None and server.stdout is not None
    server.stdin.write(job.to_line())
    server.stdin.flush()
    answer = server.stdout.readline()
    if not answer:
        raise RuntimeError("the process that runs the programs died")
    returncode: int | None = json.loads(answer)["returncode"]
    return returncode


@contextlib.contextmanager
def open_pool(
    *, device: str, steps: int | None, timeout: float, jobs: int
) -> Iterator[ProgramPool]:
    """A pool whose servers, threads and temporary files exist as long as the block runs."""
    environment = injected_environment(dict(os.environ))
    AuditRequest(folder="", device=device, trace=True).to_environment(environment)
    del environment[VARIABLE]
    command = [sys.executable, "-m", "zerograd_lint.runtime.child.fork_server"]
    servers: queue.Queue[subprocess.Popen[str]] = queue.Queue()
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="zerograd-lint-")))
        threads = ThreadPoolExecutor(jobs)
        stack.callback(threads.shutdown, cancel_futures=True)
        for _ in range(jobs):
            server = stack.enter_context(
                processes.group(
                    command,
                    environment,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                )
            )
            servers.put(server)
        yield ProgramPool(servers, threads, folder, device=device, steps=steps, timeout=timeout)
