"""What one statement does to gradients, where that is plain to see: a call on a line of its own."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from ..vocabulary.calls import BACKWARD_INPUTS, EFFECTS, SCALES_LOSS, Effect
from ..vocabulary.evidence import is_scheduler
from .dotted_names import last_word
from .gradient_buffers import changed_buffer, is_buffer

_REPLACES = Effect.IN_PLACE | Effect.DEPOSIT
_WORD = re.compile(r"[^\W\d]\w*")


class GradientMark(NamedTuple):
    """One act on gradients."""

    letter: str
    """Z for a zeroing, D for a backward, U for an unscaling, C for clipping, S for a step and P for
    the update of a loss scaler; R for a look that needs a gradient to be there; J for a way out of
    the block, N for blocks in it that act."""
    owner: str = ""
    """Whose gradients it is about, as it is spelt."""
    scaler: str = ""
    """The loss scaler it goes through, as it is spelt."""


class UnclearError(Exception):
    """Gradients are acted on in another way than by a plain call on a line of its own."""


def mark_of(statement: ast.stmt) -> GradientMark | None:
    """The mark of a simple statement that may act; None if it does not act after all."""
    match statement:
        case ast.Assign(targets=[ast.Tuple()], value=ast.Call(func=function)) if (
            EFFECTS.get(last_word(function)) is Effect.CONSUME
        ):
            return None  # an optimizer's step gives back one value: this is an environment's
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=buffer, attr=name), args=given)) if (
            is_buffer(buffer) and not changed_buffer(name, given) & _REPLACES
        ):
            return GradientMark("C")  # `p.grad.div_(n)` leaves something else in its place
        case ast.Expr(value=ast.Call() as call) | ast.Assign(value=ast.Call() as call):
            return _mark_of_call(call)
    raise UnclearError


def _mark_of_call(call: ast.Call) -> GradientMark | None:
    receiver = _spelt(call.func.value) if isinstance(call.func, ast.Attribute) else ""
    given = [_spelt(argument) for argument in call.args]
    match EFFECTS.get(last_word(call.func)):
        case Effect.ZERO if receiver and not given:
            return GradientMark("Z", receiver)
        case Effect.DEPOSIT if all(keyword.arg != BACKWARD_INPUTS for keyword in call.keywords):
            return GradientMark("D", scaler=_scaler(call))
        case Effect.CONSUME if any(map(is_scheduler, _WORD.findall(receiver))):
            return None
        case Effect.CONSUME if receiver and not call.keywords:
            return _step(receiver, given)
        case Effect.CLIP:
            return GradientMark("C")
        case Effect.UNSCALE if receiver and len(given) == 1 and given[0]:
            return GradientMark("U", given[0], receiver)
    raise UnclearError


def update_mark(statement: ast.stmt) -> Iterator[GradientMark]:
    """The mark of `scaler.update()`, or of whatever else has such a method."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=receiver) as method)) if (
            EFFECTS.get(method.attr) is Effect.UPDATE
        ):
            yield GradientMark("P", scaler=_spelt(receiver))


def _step(receiver: str, given: list[str]) -> GradientMark:
    if not given:
        return GradientMark("S", receiver)
    if len(given) == 1 and given[0]:
        return GradientMark("S", given[0], receiver)
    raise UnclearError


def _scaler(call: ast.Call) -> str:
    """`scaler` of `scaler.scale(loss).backward()`."""
    match call.func:
        case ast.Attribute(value=ast.Call(func=ast.Attribute(value=scaler, attr=name))) if (
            name == SCALES_LOSS
        ):
            return _spelt(scaler)
    return ""


def _spelt(node: ast.expr) -> str:
    """An expression as it is spelt; empty if it may be another object each time."""
    if any(isinstance(part, ast.Call | ast.NamedExpr) for part in ast.walk(node)):
        return ""
    return ast.unparse(node)
