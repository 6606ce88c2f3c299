"""Where a line stands in a file: its statement, its loop, its function."""

from __future__ import annotations

import ast
from collections.abc import Iterator

Function = ast.FunctionDef | ast.AsyncFunctionDef
Loop = ast.For | ast.AsyncFor | ast.While
Scope = Function | ast.ClassDef | ast.Module


def parse(data: bytes) -> ast.Module | None:
    """The file as a tree; None if this Python cannot read it."""
    try:
        return ast.parse(data)
    except (SyntaxError, ValueError, RecursionError):
        return None


def same_statement(tree: ast.Module, line: int, other: int) -> bool:
    """Whether two lines belong to one simple statement, or to the header of a compound one."""
    return _around(tree, line)[-1:] == _around(tree, other)[-1:]


def same_loop(tree: ast.Module, line: int, other: int) -> bool:
    """Whether two lines have the same innermost loop; where there is none, the same function.

    A line of a nested function, or of a helper, is never in the loop that calls it.
    """
    return _innermost(tree, line) is _innermost(tree, other)


def scope_names(tree: ast.Module, line: int) -> tuple[str, ...]:
    """The names of the classes and functions around a line, outermost first."""
    return tuple(s.name for s in _around(tree, line) if isinstance(s, Function | ast.ClassDef))


def find_scope(tree: ast.Module, names: tuple[str, ...]) -> Scope | None:
    """The class or function with these names; the module itself for none."""
    scope: Scope = tree
    for name in names:
        named = (
            node
            for node in ast.walk(scope)
            if isinstance(node, Function | ast.ClassDef) and node.name == name
        )
        found = next(named, None)
        if found is None:
            return None
        scope = found
    return scope


def blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """The blocks of a statement: of `if`, `else`, handlers, cases."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if isinstance(block, list) and block:
            yield block
    for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        yield part.body


def _around(tree: ast.Module, line: int) -> list[ast.stmt]:
    """The statements around a line, outermost first, down to the one it belongs to."""
    found: list[ast.stmt] = []
    node: ast.AST = tree
    while True:
        inner = next((s for b in blocks(node) for s in b if _covers(s, line)), None)
        if inner is None:
            return found
        found.append(inner)
        node = inner


def _innermost(tree: ast.Module, line: int) -> ast.AST:
    around = _around(tree, line)
    for statement in reversed(around):
        if isinstance(statement, Loop | Function) and line >= statement.body[0].lineno:
            return statement
    return tree


def _covers(statement: ast.stmt, line: int) -> bool:
    return statement.lineno <= line <= (statement.end_lineno or statement.lineno)
