"""Which names of a unit can matter to it: those that get, give or run what holds gradients.

Most of what a training file imports has no part in that. A call does if an optimizer, a scaler or a
network whose parameters are listed is among its arguments, is what it is made on, or is what its
result is given to.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from ..prefilter.bindings import walk
from ..prefilter.code import mentions_owner
from ..prefilter.units import Unit, Units

_NETWORK = re.compile(r"(\w+)\s*\.\s*(?:named_)?(?:parameters|zero_grad)\(")


def handed_over(unit: Unit, units: Units, *, parameters: bool) -> set[str]:
    """The dotted names that can matter to a unit; `parameters` counts in all that it is given."""
    nodes: list[ast.AST] = [unit.node] if unit.node is not None else units.rest
    tracked = set(_NETWORK.findall(unit.text)) | set(_NETWORK.findall(units.outside.text))
    if parameters and unit.node is not None:
        tracked.update(node.arg for node in ast.walk(unit.node.args) if isinstance(node, ast.arg))
    # What is given an optimizer in one place counts everywhere: `precision.step(optimizer)`.
    tracked |= {
        name
        for node in walk(nodes)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        if _mentions(node.args, tracked)
        for name in [_word(node.func.value)]
        if name not in ("self", "")
    }
    return set(_relevant(nodes, tracked))


def _relevant(nodes: Iterable[ast.AST], tracked: set[str]) -> Iterator[str]:
    for node in walk(nodes):
        if isinstance(node, ast.Call):
            parts = [node.func, *node.args, *(keyword.value for keyword in node.keywords)]
            if _mentions(parts, tracked):
                yield from _names(parts)
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if _mentions(targets, tracked):
                yield from _names([node.value, *_called(node.value)])
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _names([*node.decorator_list, *_called_of(node.decorator_list)])


def _mentions(nodes: Iterable[ast.AST], tracked: set[str]) -> bool:
    for node in walk(nodes):
        word = _word(node)
        if word and (word in tracked or mentions_owner(word)):
            return True
    return False


def _word(node: ast.AST) -> str:
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else ""


def _names(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """These expressions as they are spelt, each with all that it is an attribute of."""
    for node in nodes:
        spelt = _dotted(node)
        while spelt:
            yield spelt
            spelt = spelt.rpartition(".")[0]


def _called(node: ast.expr) -> list[ast.AST]:
    return [part.func for part in walk([node]) if isinstance(part, ast.Call)]


def _called_of(nodes: list[ast.expr]) -> list[ast.AST]:
    return [func for node in nodes for func in _called(node)]


def _dotted(node: ast.AST) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        inner = _dotted(node.value)
        return f"{inner}.{node.attr}" if inner else ""
    return ""
