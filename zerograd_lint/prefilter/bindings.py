"""Which names a piece of code binds to what, by its `ast`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

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
_Bound = tuple[ast.AST, ast.expr]
"""A target and its value."""


class Binding(NamedTuple):
    """Names and attributes, and the words for what they may stand for: `self.net = DDP(net)`."""

    targets: set[str]
    sources: set[str]
    """What the value is called and what goes into making it: `net`."""
    callees: set[str]
    """What makes it: `DDP`."""


def bindings(nodes: Iterable[ast.AST]) -> Iterator[Binding]:
    for target, value in bound(nodes):
        sources: set[str] = set()
        callees: set[str] = set()
        _learn(value, sources, callees)
        if sources or callees:
            yield Binding(set(_names(target)), sources, callees)


def bound(nodes: Iterable[ast.AST]) -> Iterator[_Bound]:
    """Targets with their values, also of loops, contexts and annotations."""
    pending = list(nodes)
    while pending:
        node = pending.pop()
        if type(node) in _SIMPLE:
            continue
        bind = _BIND.get(type(node))
        if bind is not None:
            yield from bind(node)
        if type(node) not in _ASSIGNMENTS:
            pending += statements(node)


def _assigned(node: ast.Assign) -> Iterator[_Bound]:
    for target in node.targets:
        yield target, node.value


def _annotated(node: ast.AnnAssign) -> Iterator[_Bound]:
    yield node.target, node.annotation
    if node.value is not None:
        yield node.target, node.value


def _iterated(node: ast.For | ast.AsyncFor) -> Iterator[_Bound]:
    yield node.target, node.iter


def _entered(node: ast.With | ast.AsyncWith) -> Iterator[_Bound]:
    for item in node.items:
        if item.optional_vars is not None:
            yield item.optional_vars, item.context_expr


def _parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[_Bound]:
    arguments = node.args
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        if argument.annotation is not None:
            yield argument, argument.annotation


_ASSIGNMENTS = frozenset({ast.Assign, ast.AnnAssign})
_BIND: dict[type[ast.AST], Callable[[Any], Iterator[_Bound]]] = {
    ast.Assign: _assigned,
    ast.AnnAssign: _annotated,
    ast.For: _iterated,
    ast.AsyncFor: _iterated,
    ast.With: _entered,
    ast.AsyncWith: _entered,
    ast.FunctionDef: _parameters,
    ast.AsyncFunctionDef: _parameters,
}


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


def _learn(value: ast.expr, sources: set[str], callees: set[str]) -> None:
    pending: list[ast.expr] = [value]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Name):
            sources.add(node.id)
        elif isinstance(node, ast.Attribute):
            sources.add(node.attr)
        elif isinstance(node, ast.Call):
            func = node.func
            if isinstance(func, ast.Attribute):
                callees.add(func.attr)
                pending.append(func.value)
            elif isinstance(func, ast.Name):
                callees.add(func.id)
            pending += node.args
            pending += [keyword.value for keyword in node.keywords]
        else:
            for field in _INSIDE.get(type(node), ()):
                part = getattr(node, field)
                pending += part if type(part) is list else [part]


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """The statements in a compound statement or a module."""
    for name in ("body", "handlers", "orelse", "finalbody", "cases"):
        value = getattr(node, name, ())
        if isinstance(value, list):
            yield from value


def walk(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """These nodes and all that carry meaning below them; three times as fast as `ast.walk`."""
    pending = list(nodes)
    while pending:
        node = pending.pop()
        yield node
        pending += parts(node)


class _Fields(dict[type[ast.AST], tuple[str, ...]]):
    """By class of node: the fields that may hold others, apart from operators and contexts."""

    def __missing__(self, kind: type[ast.AST]) -> tuple[str, ...]:
        names = self[kind] = tuple(name for name in kind._fields if name not in _WITHOUT_PARTS)
        return names


_WITHOUT_PARTS = frozenset({"attr", "ctx", "id", "kind", "op", "ops", "type_comment"})
_FIELDS = _Fields({ast.Constant: ()})


def parts(node: ast.AST) -> list[ast.AST]:
    """The nodes right below this one that carry meaning; operators do not."""
    found: list[ast.AST] = []
    for name in _FIELDS[type(node)]:
        value = getattr(node, name, None)
        if type(value) is list:
            found += [item for item in value if isinstance(item, ast.AST)]
        elif isinstance(value, ast.AST):
            found.append(value)
    return found
