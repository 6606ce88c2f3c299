"""Operators: one object of each class is all there is."""

from __future__ import annotations

import ast

from .node import Node


class Operator(Node):
    __slots__ = ()


class OtherOperator(Operator):
    """One whose meaning nothing here depends on."""

    __slots__ = ()


class And(Operator):
    __slots__ = ()


class Or(Operator):
    __slots__ = ()


class Not(Operator):
    __slots__ = ()


class Add(Operator):
    __slots__ = ()


class Subtract(Operator):
    __slots__ = ()


class Multiply(Operator):
    __slots__ = ()


class Divide(Operator):
    __slots__ = ()


class Modulo(Operator):
    __slots__ = ()


class Equal(Operator):
    __slots__ = ()


class NotEqual(Operator):
    __slots__ = ()


class LessThan(Operator):
    __slots__ = ()


class LessThanEqual(Operator):
    __slots__ = ()


class GreaterThan(Operator):
    __slots__ = ()


class GreaterThanEqual(Operator):
    __slots__ = ()


class Is(Operator):
    __slots__ = ()


class IsNot(Operator):
    __slots__ = ()


class In(Operator):
    __slots__ = ()


class NotIn(Operator):
    __slots__ = ()


class AddAssign(Operator):
    __slots__ = ()


class SubtractAssign(Operator):
    __slots__ = ()


class MultiplyAssign(Operator):
    __slots__ = ()


class DivideAssign(Operator):
    __slots__ = ()


_OTHER = OtherOperator()
_PLAIN: dict[type[ast.AST], Operator] = {
    ast.And: And(),
    ast.Or: Or(),
    ast.Not: Not(),
    ast.Add: Add(),
    ast.Sub: Subtract(),
    ast.Mult: Multiply(),
    ast.Div: Divide(),
    ast.Mod: Modulo(),
    ast.Eq: Equal(),
    ast.NotEq: NotEqual(),
    ast.Lt: LessThan(),
    ast.LtE: LessThanEqual(),
    ast.Gt: GreaterThan(),
    ast.GtE: GreaterThanEqual(),
    ast.Is: Is(),
    ast.IsNot: IsNot(),
    ast.In: In(),
    ast.NotIn: NotIn(),
}
_AUGMENTED: dict[type[ast.AST], Operator] = {
    ast.Add: AddAssign(),
    ast.Sub: SubtractAssign(),
    ast.Mult: MultiplyAssign(),
    ast.Div: DivideAssign(),
}


def operator(node: ast.AST) -> Operator:
    return _PLAIN.get(type(node), _OTHER)


def augmented(node: ast.AST) -> Operator:
    return _AUGMENTED.get(type(node), _OTHER)
