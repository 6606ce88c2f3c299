"""Calls beside gradients: schedules, parameters that are added, the scale that is asked for."""

from __future__ import annotations

import libcst as cst

from ...program import Block
from ...syntax.names import last_name
from ...vocabulary.evidence import is_scheduler
from ..event import Advance, AskScale, Extend
from ..objects.resolve import Refs
from .emitter import Emitter


def side_event(
    method: str, call: cst.Call, receiver: cst.BaseExpression, refs: Refs, emitter: Emitter
) -> Block:
    """`scheduler.step()`, `optimizer.add_param_group(…)`, `scaler.get_scale()`."""
    if method == "step" and is_scheduler(last_name(receiver)):
        return emitter.emit(Advance(), refs or (None,), call, receiver)
    if method == "get_scale":
        return emitter.emit(AskScale(), refs or (None,), call, receiver)
    if method == "add_param_group":
        return emitter.emit(Extend(), refs, call, receiver)
    return []
