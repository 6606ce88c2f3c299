"""Tests that close behind a step: `if not self.done: optimizer.step(); self.done = True`.

The step comes once, whatever loop is around it, or is not known to come again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from ...program import Block, Emit, walk
from ...syntax.literals import truth
from ...syntax.names import dotted
from ..event import Consume


def closes_behind_step(node: cst.If, then: Block) -> bool:
    """Whether an `if` steps and then sets the attribute it asks for, so that it fails from then on.

    Other code may set it back, so whether the step comes again is not known.
    """
    if not isinstance(node.body, cst.IndentedBlock):
        return False
    asked = dict(_required(node.test, True))
    closed = any(
        asked.get(dotted(target)) is (not answer)
        for target, answer in _set_in(node.body.body)
        if isinstance(target, cst.Attribute)
    )
    return closed and any(isinstance(s, Emit) and isinstance(s.event, Consume) for s in walk(then))


def _required(test: cst.BaseExpression, answer: bool) -> Iterator[tuple[str | None, bool]]:
    """The objects that must be true, or false, for a test to have this answer."""
    match test:
        case cst.UnaryOperation(operator=cst.Not(), expression=inner):
            yield from _required(inner, not answer)
        case cst.BooleanOperation(left=left, operator=cst.And(), right=right) if answer:
            yield from _required(left, True)
            yield from _required(right, True)
        case cst.Comparison(
            left=left,
            comparisons=[cst.ComparisonTarget(operator=cst.Is() | cst.Equal(), comparator=right)],
        ):
            value = truth(right)
            if value is not None:
                yield from _required(left, value is answer)
        case cst.Attribute():
            yield dotted(test), answer


def _set_in(body: Sequence[cst.BaseStatement]) -> Iterator[tuple[cst.BaseExpression, bool]]:
    for line in body:
        for small in line.body if isinstance(line, cst.SimpleStatementLine) else ():
            if isinstance(small, cst.Assign) and (answer := truth(small.value)) is not None:
                yield from ((target.target, answer) for target in small.targets)
