"""Expressions of Python's own parser become ours."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from . import expressions as ex
from .node import Node
from .operators import operator

_Made = TypeVar("_Made", bound=Node)
_MOST_DIGITS = 10**18


class Expressions:
    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines

    def _put(self, made: _Made, node: ast.AST) -> _Made:
        made._lines = self._lines
        made._first = made._last = node
        return made

    def expression(self, node: ast.expr) -> ex.BaseExpression:
        maker = _MAKERS.get(type(node))
        # What has been invented since is nothing that gradients go through.
        made = maker(self, node) if maker is not None else ex.Ellipsis()
        made._lines = self._lines
        made._first = made._last = node
        return made

    def optional(self, node: ast.expr | None) -> ex.BaseExpression | None:
        return None if node is None else self.expression(node)

    # --- names and literals -----------------------------------------------------------------

    def _name(self, node: ast.Name) -> ex.BaseExpression:
        return ex.Name(node.id)

    def _attribute(self, node: ast.Attribute) -> ex.BaseExpression:
        return ex.Attribute(self.expression(node.value), ex.Name(node.attr))

    def _constant(self, node: ast.Constant) -> ex.BaseExpression:
        value = node.value
        match value:
            case None | True | False:
                return ex.Name(str(value))
            case str() | bytes():
                return ex.SimpleString("", value)
            case int():
                # Turning a number of many thousand digits into text takes for ever.
                return ex.Integer(str(value) if value < _MOST_DIGITS else "", value)
            case float():
                return ex.Float(str(value))
            case complex():
                return ex.Imaginary(str(value))
        return ex.Ellipsis()

    def _joined(self, node: ast.JoinedStr) -> ex.BaseExpression:
        return ex.FormattedString([self.expression(piece) for piece in _pieces(node)])

    # --- collections ------------------------------------------------------------------------

    def _elements(self, nodes: Sequence[ast.expr]) -> list[ex.BaseElement]:
        return [
            ex.StarredElement(self.expression(node.value))
            if isinstance(node, ast.Starred)
            else ex.Element(self.expression(node))
            for node in nodes
        ]

    def _tuple(self, node: ast.Tuple) -> ex.BaseExpression:
        return ex.Tuple(self._elements(node.elts))

    def _list(self, node: ast.List) -> ex.BaseExpression:
        return ex.List(self._elements(node.elts))

    def _set(self, node: ast.Set) -> ex.BaseExpression:
        return ex.Set(self._elements(node.elts))

    def _dict(self, node: ast.Dict) -> ex.BaseExpression:
        return ex.Dict(
            [
                ex.StarredDictElement(self.expression(value))
                if key is None
                else ex.DictElement(self.expression(key), self.expression(value))
                for key, value in zip(node.keys, node.values, strict=True)
            ]
        )

    def _subscript(self, node: ast.Subscript) -> ex.BaseExpression:
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        return ex.Subscript(
            self.expression(node.value), [ex.SubscriptElement(self._slice(p)) for p in parts]
        )

    def _slice(self, node: ast.expr) -> ex.Index | ex.Slice:
        if isinstance(node, ast.Slice):
            return ex.Slice(
                self.optional(node.lower), self.optional(node.upper), self.optional(node.step)
            )
        if isinstance(node, ast.Starred):
            node = node.value
        return ex.Index(self.expression(node))

    # --- calls ------------------------------------------------------------------------------

    def _call(self, node: ast.Call) -> ex.BaseExpression:
        return ex.Call(self.expression(node.func), [self._argument(a) for a in _in_order(node)])

    def _argument(self, node: ast.expr | ast.keyword) -> ex.Arg:
        if isinstance(node, ast.keyword):
            if node.arg is None:
                return ex.Arg(self.expression(node.value), None, "**")
            return ex.Arg(self.expression(node.value), ex.Name(node.arg), "")
        if isinstance(node, ast.Starred):
            return ex.Arg(self.expression(node.value), None, "*")
        return ex.Arg(self.expression(node), None, "")

    # --- operations -------------------------------------------------------------------------

    def _unary(self, node: ast.UnaryOp) -> ex.BaseExpression:
        return ex.UnaryOperation(operator(node.op), self.expression(node.operand))

    def _binary(self, node: ast.BinOp) -> ex.BaseExpression:
        return ex.BinaryOperation(
            self.expression(node.left), operator(node.op), self.expression(node.right)
        )

    def _boolean(self, node: ast.BoolOp) -> ex.BaseExpression:
        left = self.expression(node.values[0])
        for value in node.values[1:]:
            right = self.expression(value)
            left = ex.BooleanOperation(left, operator(node.op), right)
            left.put(self._lines, node.values[0], value)
        return left

    def _compare(self, node: ast.Compare) -> ex.BaseExpression:
        targets = [
            ex.ComparisonTarget(operator(op), self.expression(right))
            for op, right in zip(node.ops, node.comparators, strict=True)
        ]
        return ex.Comparison(self.expression(node.left), targets)

    def _if_exp(self, node: ast.IfExp) -> ex.BaseExpression:
        return ex.IfExp(
            self.expression(node.test), self.expression(node.body), self.expression(node.orelse)
        )

    def _named(self, node: ast.NamedExpr) -> ex.BaseExpression:
        return ex.NamedExpr(self.expression(node.target), self.expression(node.value))

    def _await(self, node: ast.Await) -> ex.BaseExpression:
        return ex.Await(self.expression(node.value))

    def _yield(self, node: ast.Yield) -> ex.BaseExpression:
        return ex.Yield(self.optional(node.value))

    def _yield_from(self, node: ast.YieldFrom) -> ex.BaseExpression:
        return ex.Yield(ex.From(self.expression(node.value)))

    def _starred(self, node: ast.Starred) -> ex.BaseExpression:
        return self.expression(node.value)

    # --- functions and comprehensions -------------------------------------------------------

    def _lambda(self, node: ast.Lambda) -> ex.BaseExpression:
        return ex.Lambda(self._parameters(node.args), self.expression(node.body))

    def _parameters(self, node: ast.arguments) -> ex.Parameters:
        positional = [*node.posonlyargs, *node.args]
        missing: list[ast.expr | None] = [None] * (len(positional) - len(node.defaults))
        made = [
            self._parameter(argument, default)
            for argument, default in zip(positional, [*missing, *node.defaults], strict=True)
        ]
        at = len(node.posonlyargs)
        return ex.Parameters(
            made[at:],
            self._parameter(node.vararg) if node.vararg else None,
            [
                self._parameter(argument, default)
                for argument, default in zip(node.kwonlyargs, node.kw_defaults, strict=True)
            ],
            self._parameter(node.kwarg) if node.kwarg else None,
            made[:at],
        )

    def _parameter(self, node: ast.arg, default: ast.expr | None = None) -> ex.Param:
        return ex.Param(
            ex.Name(node.arg), self._annotation(node.annotation), self.optional(default)
        )

    def _annotation(self, node: ast.expr | None) -> ex.Annotation | None:
        return None if node is None else ex.Annotation(self.expression(node))

    def _clauses(self, generators: Sequence[ast.comprehension]) -> ex.CompFor:
        inner: ex.CompFor | None = None
        for clause in reversed(generators):
            inner = ex.CompFor(
                self.expression(clause.target),
                self.expression(clause.iter),
                [ex.CompIf(self.expression(test)) for test in clause.ifs],
                inner,
            )
        assert inner is not None
        return inner

    def _list_comp(self, node: ast.ListComp) -> ex.BaseExpression:
        return ex.ListComp(self.expression(node.elt), self._clauses(node.generators))

    def _set_comp(self, node: ast.SetComp) -> ex.BaseExpression:
        return ex.SetComp(self.expression(node.elt), self._clauses(node.generators))

    def _generator(self, node: ast.GeneratorExp) -> ex.BaseExpression:
        return ex.GeneratorExp(self.expression(node.elt), self._clauses(node.generators))

    def _dict_comp(self, node: ast.DictComp) -> ex.BaseExpression:
        return ex.DictComp(
            self.expression(node.key), self.expression(node.value), self._clauses(node.generators)
        )


def _pieces(string: ast.JoinedStr) -> Iterator[ast.expr]:
    """The expressions in a formatted string, those that say how to format included."""
    for part in string.values:
        if isinstance(part, ast.FormattedValue):
            yield part.value
            if isinstance(part.format_spec, ast.JoinedStr):
                yield from _pieces(part.format_spec)


def _in_order(call: ast.Call) -> list[ast.expr | ast.keyword]:
    """Arguments as they are written: a starred one may follow a keyword."""
    if call.keywords and any(isinstance(a, ast.Starred) for a in call.args):
        return sorted([*call.args, *call.keywords], key=lambda node: (node.lineno, node.col_offset))
    return [*call.args, *call.keywords]


_MAKERS: dict[type[ast.expr], Callable[[Expressions, Any], ex.BaseExpression]] = {
    ast.Name: Expressions._name,
    ast.Attribute: Expressions._attribute,
    ast.Call: Expressions._call,
    ast.Constant: Expressions._constant,
    ast.JoinedStr: Expressions._joined,
    ast.Tuple: Expressions._tuple,
    ast.List: Expressions._list,
    ast.Set: Expressions._set,
    ast.Dict: Expressions._dict,
    ast.Subscript: Expressions._subscript,
    ast.UnaryOp: Expressions._unary,
    ast.BinOp: Expressions._binary,
    ast.BoolOp: Expressions._boolean,
    ast.Compare: Expressions._compare,
    ast.IfExp: Expressions._if_exp,
    ast.NamedExpr: Expressions._named,
    ast.Await: Expressions._await,
    ast.Yield: Expressions._yield,
    ast.YieldFrom: Expressions._yield_from,
    ast.Starred: Expressions._starred,
    ast.Lambda: Expressions._lambda,
    ast.ListComp: Expressions._list_comp,
    ast.SetComp: Expressions._set_comp,
    ast.GeneratorExp: Expressions._generator,
    ast.DictComp: Expressions._dict_comp,
}
