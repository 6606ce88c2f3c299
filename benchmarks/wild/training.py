"""Where a published file trains: its functions, and what zeroes, goes backward and steps in them.

This reading is deliberately simpler than the linter's own and shares no code with it, so that the
benchmark cannot inherit the linter's blind spots: it only knows statements written out in full.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

ZERO, BACKWARD, STEP = "zero", "backward", "step"
Function = ast.FunctionDef | ast.AsyncFunctionDef
Loop = ast.For | ast.AsyncFor | ast.While
_BACKWARDS = frozenset({"backward", "manual_backward"})


@dataclass(frozen=True, slots=True)
class Site:
    """One simple statement that zeroes, deposits or steps, and what stands around it."""

    kind: str
    owner: str
    """The access path of the optimizer or module, as written; empty for a backward."""
    statement: ast.stmt
    block: tuple[ast.stmt, ...]
    loops: tuple[Loop, ...]
    guards: tuple[ast.If, ...]
    """The `if`s between the innermost loop (or the function) and the statement."""
    argument: str = ""
    """The name of the closure given to `step`."""

    @property
    def line(self) -> int:
        return self.statement.lineno

    @property
    def innermost(self) -> Loop | None:
        return self.loops[-1] if self.loops else None


@dataclass(slots=True)
class Scope:
    """A function, or the module's own statements; nested functions are scopes of their own."""

    node: Function | ast.Module
    parent: Scope | None
    class_name: str
    sites: list[Site] = field(default_factory=list)
    calls: list[tuple[ast.Call, tuple[Loop, ...]]] = field(default_factory=list)

    @property
    def name(self) -> str:
        return "" if isinstance(self.node, ast.Module) else self.node.name

    @property
    def lines(self) -> tuple[int, int]:
        if isinstance(self.node, ast.Module):
            last = self.node.body[-1].end_lineno if self.node.body else 1
            return 1, last or 1
        return self.node.lineno, self.node.end_lineno or self.node.lineno

    def of(self, kind: str, owner: str | None = None) -> list[Site]:
        return [s for s in self.sites if s.kind == kind and owner in (None, s.owner)]

    def owners(self, kind: str) -> list[str]:
        """Distinct owners in order of appearance."""
        return list(dict.fromkeys(site.owner for site in self.sites if site.kind == kind))


def scopes(tree: ast.Module) -> list[Scope]:
    """Every scope of a file, the module first."""
    return _Reader(tree).found


class _Reader:
    def __init__(self, tree: ast.Module) -> None:
        self._functions = {node.name for node in ast.walk(tree) if isinstance(node, Function)}
        self.found = [Scope(tree, None, "")]
        self._block(tree.body, self.found[0], (), (), "")

    def _block(
        self,
        block: list[ast.stmt],
        scope: Scope,
        loops: tuple[Loop, ...],
        guards: tuple[ast.If, ...],
        class_name: str,
    ) -> None:
        for statement in block:
            if isinstance(statement, Function):
                inner = Scope(statement, scope, class_name)
                self.found.append(inner)
                self._block(statement.body, inner, (), (), class_name)
                continue
            if isinstance(statement, ast.ClassDef):
                self._block(statement.body, scope, loops, guards, statement.name)
                continue
            _calls(statement, scope, loops)
            if isinstance(statement, Loop):
                self._block(statement.body, scope, (*loops, statement), (), class_name)
                self._block(statement.orelse, scope, loops, guards, class_name)
            elif isinstance(statement, ast.If):
                for branch in (statement.body, statement.orelse):
                    self._block(branch, scope, loops, (*guards, statement), class_name)
            elif bodies := _bodies(statement):
                for body in bodies:
                    self._block(body, scope, loops, guards, class_name)
            else:
                for kind, owner, argument in self._events(statement):
                    site = Site(kind, owner, statement, tuple(block), loops, guards, argument)
                    scope.sites.append(site)

    def _events(self, statement: ast.stmt) -> Iterator[tuple[str, str, str]]:
        value = getattr(statement, "value", None)
        if not isinstance(statement, ast.Expr | ast.Assign | ast.AnnAssign) or value is None:
            return
        for call in ast.walk(value):
            if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
                continue
            receiver = ast.unparse(call.func.value)
            name = call.func.attr
            if name == "zero_grad" and isinstance(statement, ast.Expr) and call is value:
                yield ZERO, receiver, ""
            elif name in _BACKWARDS:
                yield BACKWARD, receiver, ""
            elif name == "step":
                yield from self._step(call, receiver)

    def _step(self, call: ast.Call, receiver: str) -> Iterator[tuple[str, str, str]]:
        """`opt.step()`, `opt.step(closure)`, `scaler.step(opt)`; any other step is none."""
        if not call.args and not call.keywords:
            yield STEP, receiver, ""
        elif len(call.args) == 1 and isinstance(call.args[0], ast.Name | ast.Attribute):
            argument = ast.unparse(call.args[0])
            if "scaler" in receiver.rpartition(".")[2].lower():
                yield STEP, argument, ""
            elif argument in self._functions:
                yield STEP, receiver, argument


def _bodies(statement: ast.stmt) -> list[list[ast.stmt]]:
    """The blocks inside `with`, `try` and `match`."""
    match statement:
        case ast.With() | ast.AsyncWith():
            return [statement.body]
        case ast.Try():
            handlers = [handler.body for handler in statement.handlers]
            return [statement.body, *handlers, statement.orelse, statement.finalbody]
        case ast.Match():
            return [case.body for case in statement.cases]
    return []


def _calls(statement: ast.stmt, scope: Scope, loops: tuple[Loop, ...]) -> None:
    """The calls in a statement's own expressions, not in the blocks it holds."""
    for child in ast.iter_child_nodes(statement):
        if isinstance(child, ast.stmt | ast.excepthandler | ast.match_case):
            continue
        for node in ast.walk(child):
            if isinstance(node, ast.Call):
                scope.calls.append((node, loops))
