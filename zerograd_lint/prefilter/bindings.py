"""Which names a piece of code binds to what, by its `ast`."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .units import statements

_SIMPLE = frozenset(
    {ast.Expr, ast.Return, ast.Pass, ast.AugAssign, ast.Import, ast.ImportFrom, ast.Raise}
    | {ast.Assert, ast.Delete, ast.Break, ast.Continue, ast.Global, ast.Nonlocal}
)
_INSIDE = {
    ast.IfExp: ("body", "orelse"),
    ast.BinOp: ("left", "right"),
    ast.Subscript: ("value", "slice"),
    ast.Await: ("value",),
    ast.NamedExpr: ("value",),
    ast.Starred: ("value",),
    ast.Tuple: ("elts",),
    ast.List: ("elts",),
    ast.BoolOp: ("values",),
}


class Binding(NamedTuple):
    """Names and attributes, and the words for what they may stand for: `self.net = DDP(net)`."""

    targets: set[str]
    made_of: set[str]
    """What the value is called and what goes into making it: `net`."""
    made_by: set[str]
    """What makes it: `DDP`."""


def bindings(nodes: Iterable[ast.AST]) -> Iterator[Binding]:
    for target, value in bound(nodes):
        made_of: set[str] = set()
        made_by: set[str] = set()
        _learn(value, made_of, made_by)
        if made_of or made_by:
            yield Binding(set(_names(target)), made_of, made_by)


def bound(nodes: Iterable[ast.AST]) -> Iterator[tuple[ast.AST, ast.expr]]:
    """Targets with their values, also of loops, contexts and annotations."""
    pending = list(nodes)
    while pending:
        node = pending.pop()
        kind = type(node)
        if kind in _SIMPLE:
            continue
        if isinstance(node, ast.Assign):
            for target in node.targets:
                yield target, node.value
            continue
        if isinstance(node, ast.AnnAssign):
            yield node.target, node.annotation
            if node.value is not None:
                yield node.target, node.value
            continue
        if isinstance(node, ast.For | ast.AsyncFor):
            yield node.target, node.iter
        elif isinstance(node, ast.With | ast.AsyncWith):
            for item in node.items:
                if item.optional_vars is not None:
                    yield item.optional_vars, item.context_expr
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            arguments = node.args
            for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
                if argument.annotation is not None:
                    yield argument, argument.annotation
        pending += statements(node)


def _names(target: ast.AST) -> Iterator[str]:
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, ast.Attribute):
        yield target.attr
    elif isinstance(target, ast.arg):
        yield target.arg
    elif isinstance(target, ast.Tuple | ast.List):
        for element in target.elts:
            yield from _names(element)
    elif isinstance(target, ast.Starred | ast.Subscript):
        yield from _names(target.value)


def _learn(value: ast.expr, made_of: set[str], made_by: set[str]) -> None:
    pending: list[ast.expr] = [value]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Name):
            made_of.add(node.id)
        elif isinstance(node, ast.Attribute):
            made_of.add(node.attr)
        elif isinstance(node, ast.Call):
            func = node.func
            if isinstance(func, ast.Attribute):
                made_by.add(func.attr)
                pending.append(func.value)
            elif isinstance(func, ast.Name):
                made_by.add(func.id)
            pending += node.args
            pending += [keyword.value for keyword in node.keywords]
        else:
            for field in _INSIDE.get(type(node), ()):
                part = getattr(node, field)
                pending += part if type(part) is list else [part]


def walk(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """All nodes below these and they themselves; faster than `ast.walk`."""
    pending = list(nodes)
    while pending:
        node = pending.pop()
        yield node
        for name in node._fields:
            value = getattr(node, name, None)
            if type(value) is list:
                pending += [item for item in value if isinstance(item, ast.AST)]
            elif isinstance(value, ast.AST):
                pending.append(value)
