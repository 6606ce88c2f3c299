"""How gradients were scaled at the events that the loss-scaler rules ask about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from ...events.event import Event
from ...ledger.analysis import Analysis
from ...ledger.automata.loss_scale import Scale, ScalerLog, ScaleState

EventKind = TypeVar("EventKind", bound=Event)


def scaler_states(
    analysis: Analysis, kind: type[EventKind]
) -> Iterator[tuple[ScalerLog, EventKind, list[ScaleState]]]:
    """The events of a kind, each with its states, where these are known on all paths."""
    for log in analysis.scalers:
        for event, states in log.arrivals.items():
            if isinstance(event, kind) and states:
                if not any(state.scale is Scale.UNKNOWN for state in states):
                    yield log, event, states
