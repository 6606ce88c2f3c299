"""The names that a loop or a comprehension binds, and what each is an element of."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from .scope import Scope, Value


def loop_targets(
    target: cst.BaseExpression, index: tuple[int, ...] = ()
) -> Iterator[tuple[tuple[int, ...], str]]:
    """The names in a loop's target and where in the tuple each stands."""
    match target:
        case cst.Name(value=name):
            yield index, name
        case cst.Tuple(elements=elements) | cst.List(elements=elements):
            for position, element in enumerate(elements):
                yield from loop_targets(element.value, (*index, position))


def loop_names(
    target: cst.BaseExpression, iterated: cst.BaseExpression, scope: Scope
) -> dict[str, list[Value | None]]:
    """What the variables of a loop are bound to while it runs."""
    return {
        name: [Value(iterated, scope, iterated=True, index=index)]
        for index, name in loop_targets(target)
    }
