"""An audit from the beginning of a framework's training to its end."""

from __future__ import annotations

import warnings
from contextlib import ExitStack

from ..runtime import AuditReport, audit


class GradientBug(RuntimeError):
    """A gradient bug was seen in training; the message is the report."""


class GradientBugWarning(UserWarning):
    """The same as a warning."""


class AuditedTraining:
    """Watches what happens between `begin` and `end`, and says what was seen."""

    def __init__(self, *, fail: bool) -> None:
        self.report = AuditReport(finished=False)
        self._fail = fail
        self._watching = ExitStack()

    def begin(self) -> None:
        """Training begins."""
        self._watching.close()
        self.report = self._watching.enter_context(audit())

    def end(self) -> None:
        """Training has ended: raise `GradientBug` or warn, unless all was right."""
        self._watching.close()
        if self.report.clean:
            return
        if self._fail:
            raise GradientBug(self.report.text())
        warnings.warn(self.report.text(), GradientBugWarning, stacklevel=2)

    def abandon(self) -> None:
        """Training was broken off: stop watching, and let its own error be heard."""
        self._watching.close()
