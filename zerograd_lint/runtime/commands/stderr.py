"""Messages on standard error: errors, and a status line while programs run."""

from __future__ import annotations

import sys
import time

_PACE = 0.1


def complain(message: str) -> int:
    """Print an error and return the exit status for it."""
    print(f"error: {message}", file=sys.stderr)
    return 2


class StatusLine:
    """One line of progress, redrawn in place on a terminal; a pipe gets nothing."""

    def __init__(self, *, visible: bool = True) -> None:
        self._visible = visible and sys.stderr.isatty()
        self._next = 0.0

    def is_due(self) -> bool:
        """Whether the line would be drawn now."""
        return self._visible and time.monotonic() >= self._next

    def show(self, text: str) -> None:
        """Draw the line, unless it was drawn just now."""
        if self.is_due():
            self._next = time.monotonic() + _PACE
            sys.stderr.write(f"\r{text}\x1b[K")
            sys.stderr.flush()

    def clear(self) -> None:
        """Take the line off the screen."""
        if self._visible:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
