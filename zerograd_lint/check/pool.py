"""Check many files in several processes; a process that dies costs one file at worst.

A worker has one file at a time: only training code comes this far, and analysing that takes so
much longer than a message that nothing is gained by sending more. When a worker dies, by a crash
in native code or by the limit on its CPU time, its file gets a line saying so, and a fresh worker
takes its place.
"""

from __future__ import annotations

import contextlib
import gc
import signal
import sys
import time
from collections import deque
from collections.abc import Iterator, Sequence
from multiprocessing import connection, get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from ..project.known_files import remembering
from .garbage import rare_garbage_collection
from .one_file import check_file
from .result import FileResult, Problem
from .task import Task

_GRACE = 1
"""CPU seconds between the limit inside the process and the one the kernel enforces."""
_SILENCE = 60.0
"""Seconds without a result after which a worker that uses no CPU is given up as well."""


class _Worker:
    """A process, the file it has in hand and the time at which it got it."""

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
        self.index: int | None = None
        self.since = time.monotonic()

    def give(self, index: int, task: Task) -> None:
        self.index = index
        self.since = time.monotonic()
        with contextlib.suppress(OSError):  # a dead worker is noticed when its pipe is read
            self.pipe.send(task)

    def receive(self) -> FileResult | None:
        """The result it has ready, or None if it is dead."""
        try:
            result: FileResult = self.pipe.recv()
        except (EOFError, OSError):
            return None
        self.index = None
        return result

    def overdue(self) -> bool:
        return self.index is not None and time.monotonic() - self.since > _SILENCE

    def end(self) -> int | None:
        self.process.kill()
        self.process.join()
        self.pipe.close()
        return self.process.exitcode


def run(tasks: Sequence[Task], jobs: int) -> Iterator[tuple[int, FileResult]]:
    """The results of all tasks with their index, in the order in which they come in."""
    # The longest files first, so that none is left for the end when only one worker is busy.
    waiting = deque(sorted(range(len(tasks)), key=lambda index: -len(tasks[index].data)))
    workers: list[_Worker] = []
    try:
        while waiting or any(worker.index is not None for worker in workers):
            while waiting and len(workers) < jobs:
                workers.append(_Worker())
            for worker in workers:
                if waiting and worker.index is None:
                    index = waiting.popleft()
                    worker.give(index, tasks[index])
            ready = connection.wait([worker.pipe for worker in workers], timeout=1.0)
            for worker in [w for w in workers if w.pipe in ready or w.overdue()]:
                had = worker.index
                overdue = worker.pipe not in ready
                result = None if overdue else worker.receive()
                if result is None:
                    status = worker.end()
                    workers.remove(worker)
                    if had is not None:
                        result = _lost(tasks[had], status, overdue=overdue)
                if had is not None and result is not None:
                    yield had, result
    finally:
        for worker in workers:
            worker.end()


def _lost(task: Task, status: int | None, *, overdue: bool) -> FileResult:
    if overdue:
        reason = f"gave up: analysis had no result after {_SILENCE:g} s"
    elif status == -getattr(signal, "SIGXCPU", 0):
        reason = f"gave up: analysis took more than {task.cpu_limit:g} s of CPU time"
    elif status == -getattr(signal, "SIGKILL", 0):
        reason = "gave up: the system ended the analysis, perhaps for want of memory"
    else:
        reason = f"the analysis crashed (exit status {status}); please report it"
    return FileResult(task.path, task.kind, problems=[Problem(reason)])


def _work(pipe: Connection) -> None:
    """What a worker does: take a file, send its result, until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is interrupted and ends its workers
    with contextlib.suppress(EOFError, OSError), remembering(), rare_garbage_collection():
        while True:
            task: Task = pipe.recv()
            _limit_cpu(task.cpu_limit)
            pipe.send(check_file(task))
    gc.freeze()  # all that was read goes with the process: no garbage is looked for


def _limit_cpu(seconds: float) -> None:
    """Have the kernel end this process when native code ignores the limit inside it."""
    try:
        import resource
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    soft = int(time.process_time() + seconds) + 1 + _GRACE
    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))
