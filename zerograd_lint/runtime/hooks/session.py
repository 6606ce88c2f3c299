"""`with zerograd_lint.audit() as report:` watches the training inside the block."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields

from ..observation import AuditReport
from .recorder import Recorder
from .torch_hooks import installed


@contextmanager
def audit() -> Iterator[AuditReport]:
    """Observe every backward pass and step inside the block; the report is filled in at its end."""
    report = AuditReport(finished=False)
    recorder = Recorder()
    try:
        with installed(recorder):
            yield report
    except Exception as error:
        recorder.crashed(error)
        raise
    finally:
        seen = recorder.report()
        for each in fields(AuditReport):
            setattr(report, each.name, getattr(seen, each.name))
