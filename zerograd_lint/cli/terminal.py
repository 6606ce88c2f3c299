"""A line of progress on the terminal, for runs that take longer than a moment."""

from __future__ import annotations

import sys
import time

_PATIENCE = 0.6
"""Seconds before the line is first drawn: most runs are over by then."""
_PACE = 0.1


class CheckProgress:
    """One line on standard error that is redrawn in place and leaves no trace."""

    def __init__(self) -> None:
        self._next = time.monotonic() + _PATIENCE
        self._shown = False

    def show(self, done: int, total: int) -> None:
        """Draw the line, unless it is too early or was drawn just now."""
        now = time.monotonic()
        if now < self._next or done == total:
            return
        self._next = now + _PACE
        self._shown = True
        text = f"checking {done}/{total}" if done else f"looking at {total} files"
        sys.stderr.write(f"\r{text}\x1b[K")
        sys.stderr.flush()

    def clear(self) -> None:
        """Take the line off the screen."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
