"""Buffers that are given to another owner, or kept, on every pass, and that only grow."""

from __future__ import annotations

from collections.abc import Iterator

from ...events.event import Share
from ...fixing.plan import InsertAfter, Plan, Report
from ...ledger.analysis import Analysis
from ...ledger.automata.shared_buffers import Content, SharedLog


def grown_buffers(analysis: Analysis) -> Iterator[tuple[SharedLog, Share]]:
    """Where a buffer, each time it is given again, holds what was given before and more."""
    for log in analysis.shared:
        for event, states in log.arrivals.items():
            again = [
                state
                for state in states
                if state.since is event and not (state.left_loop or state.across_calls)
            ]
            if again and all(state.content is Content.GROWN for state in again):
                yield log, event


def report_grown(event: Share, message: str) -> Report:
    """The report that a buffer grows, with letting go of it behind the event as its fix."""
    code = f"{event.spelling}.grad = None"
    plan = Plan(f"Insert `{code}`", (InsertAfter(event.site, code),))
    return Report(event, message, (), (plan,), f"add {code} after it")
