"""What the loss-scaler rules share: the log of one optimizer, event by event."""

from __future__ import annotations

from collections.abc import Iterator

from ...events.event import Event, Kind
from ...ledger.analysis import Analysis
from ...ledger.automata.loss_scale import Scale, ScalerLog, ScaleState


def arrivals(analysis: Analysis, kind: Kind) -> Iterator[tuple[ScalerLog, Event, list[ScaleState]]]:
    """How gradients were scaled at every event of a kind, where that is known on all paths."""
    for log in analysis.scalers:
        for event, states in log.arrivals.items():
            if event.kind is kind and states:
                if not any(state.scale is Scale.UNKNOWN for state in states):
                    yield log, event, states
