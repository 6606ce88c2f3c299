"""Runs jobs one after another in the main thread, so that the protocol's thread never waits.

It is the main thread that works, because only there the limit on a file's CPU time can be kept.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from typing import Any, NoReturn, TypeVar

from ..check.cpu_limit import OverBudget, cpu_seconds

_Result = TypeVar("_Result")
_PAUSE = 0.3
"""Seconds without a job before garbage is collected."""
_SHORT_PAUSE = 0.005
"""The same when much may have come together: long enough for the last answer to be sent."""
_MOST_JOBS = 20
"""Jobs that follow one another without a pause before a short one must do."""
MOST_SECONDS = 10.0
"""CPU time for what is no check, such as writing down a fix; a check has its own limit."""


class Worker:
    """A queue of jobs, filled by one thread and worked off by another."""

    def __init__(self) -> None:
        self._queue: SimpleQueue[tuple[Callable[[], Any], Future[Any]]] = SimpleQueue()

    def submit(self, job: Callable[[], _Result]) -> Future[_Result]:
        """Have a job done; one that is cancelled before its turn is left out."""
        future: Future[_Result] = Future()
        self._queue.put((job, future))
        return future

    @property
    def has_more(self) -> bool:
        """Whether a job waits for its turn."""
        return not self._queue.empty()

    def run(self) -> NoReturn:
        """Work for ever; garbage is collected in pauses, when no answer waits for it."""
        gc.disable()
        done = 0
        while True:
            try:
                pause = _PAUSE if done < _MOST_JOBS else _SHORT_PAUSE
                job, future = self._queue.get(timeout=pause if done else None)
            except Empty:
                gc.collect()
                done = 0
                continue
            if future.set_running_or_notify_cancel():
                _do(job, future)
            del job, future
            done += 1


def _do(job: Callable[[], Any], future: Future[Any]) -> None:
    try:
        result = job()
    except Exception as error:
        future.set_exception(error)
    else:
        future.set_result(result)


def limited(job: Callable[[], _Result]) -> Callable[[], _Result]:
    """The same job with a limit on its CPU time."""

    def run() -> _Result:
        try:
            with cpu_seconds(MOST_SECONDS):
                return job()
        except OverBudget:
            raise TimeoutError(f"took more than {MOST_SECONDS:g} s of CPU time") from None

    return run
