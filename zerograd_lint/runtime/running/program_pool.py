"""A pool of fork servers that runs programs for the verifier, several at a time."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from ..child.audit_request import VARIABLE, AuditRequest
from ..child.fork_server import Job
from . import processes, working_copy
from .launch import injected_environment
from .program import Program
from .run_outcome import RunOutcome, collect, read_tail
from .working_copy import WorkingCopy


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

    def keep(self, data: bytes) -> Path:
        """A file with this content, for as long as the pool is open."""
        path = self._folder / "stdin"
        path.write_bytes(data)
        return path

    def _run(self, program: Program) -> RunOutcome:
        with self._lock:
            self._count += 1
            folder = self._folder / str(self._count)
        copy = working_copy.make(program.folders(), folder / "copies")
        for file, text in program.replaced.items():
            copy.write(file, text)
        job = self._job(program, folder, copy)
        server = self._servers.get()
        try:
            answer = _ask(server, job)
        finally:
            self._servers.put(server)
        outcome = collect(
            Path(job.request.folder),
            json.loads(answer)["returncode"] if answer else None,
            read_tail(Path(job.output)),
            device=self._device,
            named=copy.original_names,
        )
        if not answer:
            outcome.problem = "the process that ran the program was killed"
        return outcome

    def _job(self, program: Program, folder: Path, copy: WorkingCopy) -> Job:
        reports, temporary, empty = (folder / name for name in ("reports", "temporary", "empty"))
        for each in (reports, temporary, empty):
            each.mkdir(parents=True)
        watched = program.watched_file
        return Job(
            script=copy.of(str(program.script)) if program.script else None,
            module=program.module,
            arguments=[copy.of(word) for word in program.arguments],
            request=AuditRequest(
                folder=str(reports),
                steps=program.steps or self._steps,
                awaited=program.awaited,
                device=self._device,
                trace=True,
                enforce=program.enforce,
                watched_files=(watched, copy.of(watched)) if watched else (),
                replaced=program.replaced,  # a module may be imported from where it is installed
                copies=copy.copies,
                port=_free_port(),
            ),
            folder=copy.of(str(program.works_in.resolve())) if program.works_in else str(empty),
            temporary=str(temporary),
            stdin=str(program.stdin),
            output=str(folder / "output"),
            timeout=self._timeout,
        )


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        port: int = probe.getsockname()[1]
        return port


def _ask(server: subprocess.Popen[str], job: Job) -> str:
    """The answer of the server, which is empty if it died."""
    assert server.stdin is not None and server.stdout is not None
    with contextlib.suppress(OSError):
        server.stdin.write(job.to_line())
        server.stdin.flush()
        return server.stdout.readline()
    return ""


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
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    threads = ThreadPoolExecutor(jobs)
    with processes.family() as family:
        try:
            for _ in range(jobs):
                servers.put(family.start(command, environment, **pipes))
            yield ProgramPool(
                servers, threads, family.folder, device=device, steps=steps, timeout=timeout
            )
        finally:
            # What waits is given up, and what waits for an answer gets none any more.
            threads.shutdown(wait=False, cancel_futures=True)
            family.end_processes()
            threads.shutdown()
