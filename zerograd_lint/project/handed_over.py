"""Which names of a unit can matter to it: those that get, give or run what holds gradients.

Most of what a training file imports has no part in that. A call does if an optimizer, a scaler or a
network whose parameters are listed is among its arguments, is what it is made on, or is what its
result is given to. So does one that is named after the clipping of gradients, whatever it is given,
and the class of an optimizer that a function is given or makes.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterable, Iterator, Set

from ..prefilter.bindings import statements
from ..prefilter.dotted_names import dotted, dotted_names, last_word
from ..prefilter.units import FunctionNode, Unit, Units
from .nodes_below import NodesBelow, NodesOf, all_below, names_owner

_CLIPS = re.compile(r"clip\w*grad|grad\w*clip", re.IGNORECASE)


def handed_over(
    unit: Unit,
    units: Units,
    imported: Set[str] | None,
    instances: Set[str],
    nodes_of: NodesOf,
    *,
    parameters: bool,
) -> set[str]:
    """The dotted names that can matter to a unit; `parameters` counts in all that it is given.

    `imported` are the first words of those names that are asked about, None of all. `instances`
    are words for objects that other units of the module give an optimizer. `nodes_of` gives the
    nodes of a unit, which may be gone through for several reasons.
    """
    tracked = {*unit.code.networks, *units.outside.code.networks}
    tracked.update(word for word in instances if word in unit.text and word in unit.words)
    if parameters and unit.node is not None:
        tracked.update(node.arg for node in ast.walk(unit.node.args) if isinstance(node, ast.arg))
    if not tracked and not unit.code.mentions_owner and not _CLIPS.search(unit.text):
        return set(_decorators(unit))
    below = nodes_of(unit, units)
    declared = set(_declared(unit, below))
    if imported is not None and below.names.isdisjoint(imported):
        return declared
    # What is given an optimizer in one place counts everywhere: `precision.step(optimizer)`.
    tracked |= {
        name
        for node in below.mentioning(tracked, _matters)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        if _mentions(node.args, tracked)
        for name in [last_word(node.func.value)]
        if name not in ("self", "")
    }
    return declared | set(_relevant(below, tracked | _asked_for_owners(below, tracked)))


def _declared(unit: Unit, below: NodesBelow) -> Iterator[str]:
    """The classes of the optimizers that a unit is given, and of those it is there to make."""
    if unit.node is None:
        return
    arguments = unit.node.args
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        if argument.annotation is not None and names_owner(argument.arg):
            yield from dotted_names(all_below([argument.annotation]))
    if names_owner(unit.name):
        for node in below.nodes:
            if isinstance(node, ast.Return) and node.value is not None:
                yield from dotted_names(_called(node.value))


def _decorators(unit: Unit) -> Iterator[str]:
    """The names of what decorates a unit, or a function in it."""
    if unit.node is None:
        return
    pending: list[ast.AST] = [unit.node]
    for node in pending:  # it grows on the way
        if isinstance(node, FunctionNode):
            yield from dotted_names([*node.decorator_list, *_called_of(node.decorator_list)])
        if node is not unit.node or "@" in unit.text:
            pending += statements(node)


def _relevant(below: NodesBelow, tracked: set[str]) -> Iterator[str]:
    for node in below.mentioning(tracked, _matters):
        if isinstance(node, ast.Call):
            yield from dotted_names(
                [node.func, *node.args, *(word.value for word in node.keywords)]
            )
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if _mentions(targets, tracked):
                yield from dotted_names([node.value, *_called(node.value)])
    for function in below.functions:
        yield from dotted_names([*function.decorator_list, *_called_of(function.decorator_list)])


def _asked_for_owners(below: NodesBelow, tracked: set[str]) -> set[str]:
    """What gives out an optimizer: the network in `optimizer = model.configure_optimizers()`.

    So does the module in `torch.optim.SGD(…)`, after `torch = import_torch()`.
    """
    asked = [
        func.value
        for node in below.assignments
        if _mentions(node.targets, tracked)
        for func in _called(node.value)
        if isinstance(func, ast.Attribute)
    ]
    roots = {dotted(node).partition(".")[0] for node in asked}
    given = {
        part.id
        for node in below.assignments
        if isinstance(node.value, ast.Call)
        for part in all_below(node.targets)
        if isinstance(part, ast.Name)
    }
    return ({last_word(node) for node in asked} | (roots & given)) - {"self", ""}


@functools.lru_cache(10_000)
def _matters(word: str) -> bool:
    """Whether a word is about an optimizer, a loss scaler, or the clipping of gradients."""
    return names_owner(word) or _CLIPS.search(word) is not None


def _mentions(nodes: Iterable[ast.AST], tracked: set[str]) -> bool:
    for node in all_below(nodes):
        word = last_word(node)
        if word and (word in tracked or names_owner(word)):
            return True
    return False


def _called(node: ast.expr) -> list[ast.AST]:
    return [part.func for part in all_below([node]) if isinstance(part, ast.Call)]


def _called_of(nodes: list[ast.expr]) -> list[ast.AST]:
    return [func for node in nodes for func in _called(node)]
