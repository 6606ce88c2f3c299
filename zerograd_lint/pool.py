"""Several processes for many files, built to lose one file at worst.

A worker sends each result as soon as it has it. When a worker dies, by a crash in native code or
by the limit on its CPU time, the file it was on gets a line saying so, and the rest of
its work goes to a fresh worker.
"""

from __future__ import annotations

import contextlib
import signal
import sys
import time
from collections import deque
from collections.abc import Iterator, Sequence
from multiprocessing import connection, get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from .inspection import Task, inspect_file
from .result import FileResult, Problem

_GRACE = 1
"""CPU seconds between the polite end of an analysis and the one by the kernel."""
_SILENCE = 60.0
"""Seconds without a result after which a worker that uses no CPU is given up as well."""

_Numbered = tuple[int, Task]


class _Worker:
    """A process, the work it has in hand and the time it last gave a sign of life."""

    def __init__(self) -> None:
        # Forking is fast and keeps the loaded parser; elsewhere it is not safe or not there.
        context = get_context("fork" if sys.platform == "linux" else "spawn")
        self.pipe: Connection
        self.pipe, far_end = context.Pipe()
        self.process: BaseProcess = context.Process(  # type: ignore[attr-defined]
            target=_work, args=(far_end,), daemon=True
        )
        self.process.start()
        far_end.close()
        self.todo: deque[_Numbered] = deque()
        self.last_sign = time.monotonic()

    def give(self, chunk: list[_Numbered]) -> None:
        self.todo.extend(chunk)
        self.last_sign = time.monotonic()
        with contextlib.suppress(OSError):  # a dead worker is noticed when its pipe is read
            self.pipe.send(chunk)

    def end(self) -> int | None:
        self.process.kill()
        self.process.join()
        self.pipe.close()
        return self.process.exitcode


def run(tasks: Sequence[Task], jobs: int) -> Iterator[tuple[int, FileResult]]:
    """The results of all tasks with their index, in the order in which they come in."""
    waiting: deque[_Numbered] = deque(enumerate(tasks))
    size = max(1, min(16, len(tasks) // (jobs * 6)))
    workers: list[_Worker] = []
    try:
        while waiting or any(worker.todo for worker in workers):
            while waiting and len(workers) < jobs:
                workers.append(_Worker())
            for worker in workers:
                if waiting and not worker.todo:
                    worker.give([waiting.popleft() for _ in range(min(size, len(waiting)))])
            ready = set(connection.wait([worker.pipe for worker in workers], timeout=1.0))
            for worker in list(workers):
                silent = time.monotonic() - worker.last_sign > _SILENCE
                if worker.pipe not in ready and not (silent and worker.todo):
                    continue
                received = None if worker.pipe not in ready else _receive(worker)
                if received is not None:
                    yield received
                    continue
                status = worker.end()
                workers.remove(worker)
                if worker.todo:
                    index, task = worker.todo.popleft()
                    yield index, _lost(task, status)
                    waiting.extendleft(reversed(worker.todo))
                    size = 1
    finally:
        for worker in workers:
            worker.end()


def _receive(worker: _Worker) -> tuple[int, FileResult] | None:
    """The next result of a worker, or None if it is dead."""
    try:
        index, result = worker.pipe.recv()
    except (EOFError, OSError):
        return None
    worker.todo.popleft()
    worker.last_sign = time.monotonic()
    return index, result


def _lost(task: Task, status: int | None) -> FileResult:
    if status == -getattr(signal, "SIGXCPU", 0):
        reason = f"gave up: analysis took more than {task.cpu_limit:g} s of CPU time"
    elif status == -getattr(signal, "SIGKILL", 0):
        reason = "gave up: the analysis did not come to an end"
    else:
        reason = f"the analysis crashed (exit status {status}); please report it"
    return FileResult(task.path, task.kind, problems=[Problem(reason)])


def _work(pipe: Connection) -> None:
    """A worker's life: take a chunk, send result by result, until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is interrupted and ends its workers
    with contextlib.suppress(EOFError, OSError):
        while True:
            for index, task in pipe.recv():
                _limit_cpu(task.cpu_limit)
                pipe.send((index, inspect_file(task)))


def _limit_cpu(seconds: float) -> None:
    """Have the kernel end this process when native code ignores the polite limit."""
    try:
        import resource
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    soft = int(time.process_time() + seconds) + 1 + _GRACE
    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))
