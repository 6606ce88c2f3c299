"""A limit on the CPU time one file may take, so that no input can hold up the rest."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class OverBudget(BaseException):
    """A file has used up its CPU time.

    Not an `Exception`: no `except Exception` on the way out may swallow it.
    """


@contextmanager
def cpu_seconds(limit: float) -> Iterator[None]:
    """Raise `OverBudget` inside the block once it has used this much CPU time.

    CPU time, not the clock: a busy machine must not change what is reported. Where there are no
    such timers (Windows, or a thread other than the main one) there is no limit.
    """
    if (
        not hasattr(signal, "setitimer")
        or threading.current_thread() is not threading.main_thread()
    ):
        yield
        return

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise OverBudget

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, limit)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
