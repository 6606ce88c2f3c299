"""Writes a process's last report however it ends: by itself, by an exception, by force."""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import sys
from collections.abc import Callable
from types import TracebackType
from typing import Any, Protocol


class Reporting(Protocol):
    """What reports on a process, and wants to hear of a crash."""

    def report(self, *, finished: bool) -> None:
        """Write the report as it is now."""

    def crashed(self, error: BaseException) -> None:
        """The program ended with this exception."""


def report_at_the_end(agent: Reporting) -> None:
    """Report when the interpreter ends by itself or by an exception."""
    previous = sys.excepthook

    def excepthook(
        kind: type[BaseException], error: BaseException, traceback: TracebackType | None
    ) -> None:
        agent.crashed(error)
        previous(kind, error, traceback)

    sys.excepthook = excepthook
    atexit.register(agent.report, finished=True)


def report_at_a_sudden_end(agent: Reporting) -> None:
    """Report before what Python runs no exit handlers for."""
    _report_when_asked_to_end(agent)
    for name in ("_exit", "execv", "execve"):
        setattr(os, name, _reporting_first(agent, getattr(os, name)))


def _reporting_first(agent: Reporting, original: Callable[..., Any]) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        with contextlib.suppress(Exception):
            agent.report(finished=True)
        return original(*args, **kwargs)

    return call


def report_when_a_worker_ends(agent: Reporting) -> None:
    """Report at the end of processes that multiprocessing starts."""
    # They skip `atexit` but run finalizers of their own, which they forget at their start: so the
    # finalizer is registered by what runs right after that.
    from multiprocessing import util

    def register(agent: Reporting) -> None:
        util.Finalize(agent, agent.report, kwargs={"finished": True}, exitpriority=100)

    util.register_after_fork(agent, register)


def _report_when_asked_to_end(agent: Reporting) -> None:
    """Report how far the program got when SIGTERM ends it, as at the time limit."""

    def on_terminate(number: int, frame: object) -> None:
        agent.report(finished=True)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, on_terminate)
