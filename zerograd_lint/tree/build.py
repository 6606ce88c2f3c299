"""From the tree of Python's own parser to ours, a whole file at a time."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Sequence
from typing import Any

from . import statements as st
from .build_expressions import Expressions
from .expressions import Attribute, BaseExpression, Element, Name, Tuple
from .node import Node, characters
from .operators import augmented

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


def build(
    tree: ast.Module,
    lines: Sequence[str],
    left_out: Collection[ast.AST] = (),
    mentioned: Collection[str] = (),
) -> st.Module:
    """The module without the functions left out; of those mentioned it says that they exist."""
    return _Builder(lines, left_out, mentioned).module(tree)


class _Builder(Expressions):
    def __init__(
        self, lines: Sequence[str], left_out: Collection[ast.AST], mentioned: Collection[str]
    ) -> None:
        super().__init__(lines)
        self._left_out = left_out
        self._mentioned = mentioned

    def module(self, tree: ast.Module) -> st.Module:
        return st.Module(self._statements(tree.body))

    # --- blocks -----------------------------------------------------------------------------

    def _statements(self, body: Sequence[ast.stmt]) -> list[Node]:
        found: list[Node] = []
        shared: st.SimpleStatementLine | None = None
        ends = 0
        for statement in body:
            compound = _COMPOUND.get(type(statement))
            if compound is not None:
                if statement not in self._left_out:
                    found.append(self._put(compound(self, statement), statement))
                elif statement.name in self._mentioned:  # type: ignore[attr-defined]
                    found.append(self._stub(statement))
                shared = None
                continue
            small = self._small(statement)
            if shared is not None and statement.lineno == ends:
                shared.body.append(small)
                shared._last = statement
            else:
                shared = st.SimpleStatementLine([small])
                found.append(self._put(shared, statement))
            ends = statement.end_lineno or 0
        return found

    def _suite(self, body: Sequence[ast.stmt]) -> st.BaseSuite:
        first = body[0]
        line = self._lines[first.lineno - 1]
        if line[: characters(line, first.col_offset)].strip(" \t\f") and not isinstance(
            first, FunctionNode | ast.ClassDef
        ):
            suite: st.BaseSuite = st.SimpleStatementSuite([self._small(part) for part in body])
        else:
            suite = st.IndentedBlock(self._statements(body))
        suite.put(self._lines, first, body[-1])
        return suite

    def _stub(self, function: ast.stmt) -> Node:
        """A function that does nothing, in the place of one that does nothing that matters."""
        assert isinstance(function, FunctionNode)
        line = self._put(st.SimpleStatementLine([st.Pass()]), function.body[0])
        body = self._put(st.IndentedBlock([line]), function.body[0])
        none = ast.arguments([], [], None, [], [], None, [])
        return self._put(
            st.FunctionDef(Name(function.name), self._parameters(none), body, [], None), function
        )

    def _else(self, body: Sequence[ast.stmt]) -> st.Else | None:
        return st.Else(self._suite(body)) if body else None

    # --- compound statements ----------------------------------------------------------------

    def _function(self, node: FunctionNode) -> Node:
        return st.FunctionDef(
            Name(node.name),
            self._parameters(node.args),
            self._suite(node.body),
            self._decorators(node.decorator_list),
            self._annotation(node.returns),
        )

    def _class(self, node: ast.ClassDef) -> Node:
        return st.ClassDef(
            Name(node.name),
            self._suite(node.body),
            [self._argument(base) for base in node.bases],
            self._decorators(node.decorator_list),
        )

    def _decorators(self, nodes: Sequence[ast.expr]) -> list[st.Decorator]:
        return [st.Decorator(self.expression(node)) for node in nodes]

    def _if(self, node: ast.If) -> Node:
        orelse: Node | None = None
        if node.orelse:
            first = node.orelse[0]
            line = self._lines[first.lineno - 1]
            if isinstance(first, ast.If) and line.startswith(
                "elif", characters(line, first.col_offset)
            ):
                orelse = self._put(self._if(first), first)
            else:
                orelse = self._else(node.orelse)
        return st.If(self.expression(node.test), self._suite(node.body), orelse)

    def _while(self, node: ast.While) -> Node:
        return st.While(self.expression(node.test), self._suite(node.body), self._else(node.orelse))

    def _for(self, node: ast.For | ast.AsyncFor) -> Node:
        return st.For(
            self.expression(node.target),
            self.expression(node.iter),
            self._suite(node.body),
            self._else(node.orelse),
        )

    def _with(self, node: ast.With | ast.AsyncWith) -> Node:
        items = [
            st.WithItem(
                self.expression(item.context_expr),
                st.AsName(self.expression(item.optional_vars)) if item.optional_vars else None,
            )
            for item in node.items
        ]
        return st.With(items, self._suite(node.body))

    def _try(self, node: ast.Try) -> Node:
        kind = st.Try if type(node) is ast.Try else st.TryStar
        handlers = [
            st.ExceptHandler(
                self._suite(handler.body),
                self.optional(handler.type),
                st.AsName(Name(handler.name)) if handler.name else None,
            )
            for handler in node.handlers
        ]
        finalbody = st.Finally(self._suite(node.finalbody)) if node.finalbody else None
        return kind(self._suite(node.body), handlers, self._else(node.orelse), finalbody)

    def _match(self, node: ast.Match) -> Node:
        cases = []
        for case in node.cases:
            pattern: st.MatchPattern = st.MatchPattern()
            if isinstance(case.pattern, ast.MatchAs):
                inner = st.MatchPattern() if case.pattern.pattern is not None else None
                pattern = st.MatchAs(inner)
            cases.append(st.MatchCase(pattern, self.optional(case.guard), self._suite(case.body)))
        return st.Match(self.expression(node.subject), cases)

    # --- simple statements ------------------------------------------------------------------

    def _small(self, node: ast.stmt) -> st.BaseSmallStatement:
        small = self._simple(node)
        small.put(self._lines, node, node)
        return small

    def _simple(self, node: ast.stmt) -> st.BaseSmallStatement:
        match node:
            case ast.Expr(value=value):
                return st.Expr(self.expression(value))
            case ast.Assign(targets=targets, value=value):
                made = [st.AssignTarget(self.expression(target)) for target in targets]
                return st.Assign(made, self.expression(value))
            case ast.AugAssign(target=target, op=operator, value=value):
                return st.AugAssign(
                    self.expression(target), augmented(operator), self.expression(value)
                )
            case ast.AnnAssign(target=target, annotation=annotation, value=optional):
                return st.AnnAssign(
                    self.expression(target), self._annotation(annotation), self.optional(optional)
                )
            case ast.Return(value=optional):
                return st.Return(self.optional(optional))
            case ast.Raise(exc=exception, cause=cause):
                return st.Raise(self.optional(exception), self.optional(cause))
            case ast.Delete(targets=targets):
                parts = [self.expression(target) for target in targets]
                whole = parts[0] if len(parts) == 1 else Tuple([Element(part) for part in parts])
                return st.Del(whole)
            case ast.Assert(test=test, msg=message):
                return st.Assert(self.expression(test), self.optional(message))
            case ast.Import(names=names):
                return st.Import([_alias(alias) for alias in names])
            case ast.ImportFrom(module=module, names=names, level=level):
                what: object = [_alias(alias) for alias in names]
                if names[0].name == "*":
                    what = st.ImportStar()
                return st.ImportFrom(_dotted(module) if module else None, what, level or 0)
            case ast.Global(names=words):
                return st.Global([st.NameItem(Name(word)) for word in words])
            case ast.Nonlocal(names=words):
                return st.Nonlocal([st.NameItem(Name(word)) for word in words])
            case ast.Break():
                return st.Break()
            case ast.Continue():
                return st.Continue()
        return st.Pass()


def _alias(alias: ast.alias) -> st.ImportAlias:
    return st.ImportAlias(
        _dotted(alias.name), st.AsName(Name(alias.asname)) if alias.asname else None
    )


def _dotted(name: str) -> BaseExpression:
    first, *rest = name.split(".")
    made: BaseExpression = Name(first)
    for part in rest:
        made = Attribute(made, Name(part))
    return made


_COMPOUND: dict[type[ast.stmt], Callable[[_Builder, Any], Node]] = {
    ast.FunctionDef: _Builder._function,
    ast.AsyncFunctionDef: _Builder._function,
    ast.ClassDef: _Builder._class,
    ast.If: _Builder._if,
    ast.While: _Builder._while,
    ast.For: _Builder._for,
    ast.AsyncFor: _Builder._for,
    ast.With: _Builder._with,
    ast.AsyncWith: _Builder._with,
    ast.Try: _Builder._try,
    ast.Match: _Builder._match,
}
if hasattr(ast, "TryStar"):  # newer than 3.10
    _COMPOUND[ast.TryStar] = _Builder._try
