"""What loss scalers had done, and how gradients were scaled, at the events that rules ask about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from ...events.event import Event
from ...ledger.analysis import Analysis
from ...ledger.automata.loss_scale import Scale, ScalerLog, ScaleState

EventKind = TypeVar("EventKind", bound=Event)
Arrivals = Iterator[tuple[ScalerLog, EventKind, list[ScaleState]]]
"""Events of one kind, with the states that arrive there."""


def gradient_states(analysis: Analysis, kind: type[EventKind]) -> Arrivals[EventKind]:
    """The events of a kind where it is known on all paths how gradients are scaled."""
    for log, event, states in _arrivals(analysis, kind):
        known = not any(state.scale is Scale.UNKNOWN for state in states)
        if known and not log.may_be_off(event):
            yield log, event, states


def scaler_states(analysis: Analysis, kind: type[EventKind]) -> Arrivals[EventKind]:
    """The events of a kind where it is known on all paths what the scaler has done."""
    for log, event, states in _arrivals(analysis, kind):
        if not any(state.unread for state in states):
            yield log, event, states


def _arrivals(analysis: Analysis, kind: type[EventKind]) -> Arrivals[EventKind]:
    for log in analysis.scalers:
        for event, states in log.arrivals.items():
            if isinstance(event, kind) and states:
                yield log, event, states
