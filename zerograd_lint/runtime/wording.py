"""What an audit says in plain words: what happened, how wrong it was, and what to change."""

from __future__ import annotations

import math

EXPLANATIONS = {
    "stale": "applied gradients that an earlier step had already applied",
    "wiped": "had nothing to apply: its gradients were cleared after backward",
    "defeated": "lost micro-batches: their gradients were cleared before it could apply them",
    "unfed": "ran without a backward pass of its own",
    "leak": "applied the gradients of another optimizer's loss as well",
    "none-crash": "failed because .grad was None",
    "scaled": "used gradients that were still multiplied by the loss scale",
}
"""The kinds of gradient bugs, each with what the step did."""

_ADVICE = {
    "stale": "clear the gradients once for every step: call zero_grad() before the backward pass",
    "wiped": "clear the gradients before the backward pass or after the step, never in between",
    "defeated": "clear the gradients right after the step, not before every micro-batch",
    "unfed": "run the backward pass before the step, on a loss that depends on these parameters",
    "leak": "clear this optimizer's gradients before the backward pass of its own loss",
    "none-crash": ".grad is None before the first backward pass and after zero_grad(): test for it",
    "scaled": "unscale first: scaler.unscale_(optimizer) before clipping, scaler.step(optimizer)",
}

_ADVICE_BY_HAND = {
    "stale": "clear the gradient once for every update: set .grad to None after it",
    "wiped": "clear the gradient before the backward pass or after the update, never in between",
}
"""What differs where no optimizer takes the steps, and there is no `zero_grad()` to call."""

MEASURES = {
    "relative error": "how far the applied gradient was from the right one, in lengths of the right"
    " one: 0 is right, 1 is as wrong as applying nothing",
    "cosine": "whether both pointed the same way: 1 is the same direction, 0 a right angle,"
    " -1 the opposite",
    "wrong share": "how much of what went into the step should not have been there, or was missing",
}
"""The numbers of a report, each with its meaning."""


_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def advice(kind: str, *, by_hand: bool = False) -> str:
    """What to change, in one line."""
    return _ADVICE_BY_HAND.get(kind, _ADVICE[kind]) if by_hand else _ADVICE[kind]


def counted(number: int, what: str) -> str:
    """So many of something: 1 step, 2 steps, 3 backward passes."""
    ending = "" if number == 1 else "es" if what.endswith("s") else "s"
    return f"{number} {what}{ending}"


def size_and_direction(size: float, cosine: float) -> str:
    """How an applied gradient compares with the right one: its length and its direction."""
    if size >= 1.05:
        length = f"{shown(float(f'{size:.2g}'))} times too large"
    elif size <= 0.95:
        length = f"only {size:.0%} of the right length"
    else:
        length = "of the right length"
    degrees = round(math.degrees(math.acos(max(-1.0, min(1.0, cosine)))))
    direction = f"pointing {degrees}° away" if degrees else "pointing the right way"
    return f"the applied gradient was {length}, {direction}"


def shown(number: float) -> str:
    """A number as a person writes it: 0.04, 1200, 3·10⁴."""
    if number == 0:
        return "0"
    if 0.001 <= abs(number) < 10_000:
        return f"{number:.3g}" if abs(number) < 1000 else f"{number:.0f}"
    mantissa, _, exponent = f"{number:.1e}".partition("e")
    power = "10" + str(int(exponent)).translate(_SUPERSCRIPTS)
    factor = mantissa.removesuffix(".0")
    return power if factor == "1" else f"{factor}·{power}"
