"""Which names of a unit decide about its branches: constants, tables, options, by their `ast`."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

from ..prefilter.bindings import bound, statements
from ..prefilter.dotted_names import dotted, dotted_names
from ..prefilter.units import FunctionNode, Unit
from .nodes_below import all_below

_TESTING = (ast.If, ast.While, ast.IfExp)
_PLAIN = (ast.Name, ast.Attribute, ast.Subscript, ast.Compare, ast.BoolOp, ast.UnaryOp)
"""What a test may be given a name as."""
_INSIDE_EXPRESSIONS = re.compile(r"%|\belse\b(?!\s*:)")
"""The words of a remainder, and of a test in the middle of an expression."""


class UnitTests:
    """What decides about the branches of one unit."""

    def __init__(self, unit: Unit, nodes: list[ast.AST]) -> None:
        self._nodes = nodes
        self.names = frozenset(name for test in _tests(unit, nodes) for name in _names(test))
        """The dotted names in tests, in remainders and in what is named to be tested later."""

    @cached_property
    def made(self) -> list[tuple[set[str], set[str]]]:
        """Names that are bound to what a call gives, with the names of what is called."""
        return [
            (
                {part.id for part in all_below([target]) if isinstance(part, ast.Name)},
                set(_names(value.func)),
            )
            for target, value in bound(self._nodes)
            if isinstance(value, ast.Call)
        ]


def tested_names(
    units: Iterable[Unit],
    nodes_of: Callable[[Unit], list[ast.AST]],
    known: dict[Unit, UnitTests],
) -> set[str]:
    """The dotted names that decide about branches of some units; `known` is filled in.

    With them come those of the functions and classes that make what they are parts of.
    """
    for unit in units:
        if unit not in known:
            known[unit] = UnitTests(unit, nodes_of(unit))
    found: set[str] = set()
    found.update(*(known[unit].names for unit in units))
    roots = {name.partition(".")[0] for name in found}
    if roots:
        for unit in units:
            for targets, makers in known[unit].made:
                if not targets.isdisjoint(roots):
                    found |= makers
    return found


def _tests(unit: Unit, nodes: list[ast.AST]) -> Iterator[ast.expr]:
    # The module itself comes without its compound statements: their tests stand by themselves.
    yield from (node for node in nodes if isinstance(node, _PLAIN))
    tests_inside = unit.node is None or _INSIDE_EXPRESSIONS.search(unit.text) is not None
    for node in all_below(nodes) if tests_inside else _statements_below(nodes):
        if isinstance(node, _TESTING):
            yield node.test
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            yield node.right
        elif isinstance(node, ast.Assign) and isinstance(node.value, _PLAIN):
            yield node.value


def _statements_below(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """All statements; of a function also what decorates it, which is no part of its text."""
    pending = list(nodes)
    while pending:
        node = pending.pop()
        yield node
        if isinstance(node, FunctionNode):
            yield from all_below(node.decorator_list)
        pending += statements(node)


def _names(node: ast.expr) -> Iterator[str]:
    """The names of an expression outside of its calls, each as long as it is spelt."""
    pending: list[ast.AST] = [node]
    while pending:
        part = pending.pop()
        if dotted(part):
            yield from dotted_names([part])
        elif not isinstance(part, ast.Call):
            pending += ast.iter_child_nodes(part)
