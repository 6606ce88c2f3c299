"""Tests that stand in a function: `if self.is_full(i):` asks what that gives back."""

from __future__ import annotations

import builtins

import libcst as cst

from ...syntax.walk import inside
from ..objects.classes import Classes
from ..objects.fixed_values import fixed_value
from ..objects.given import Called
from ..scopes.scope import Definition, Scope

_Replacements = dict[str, cst.BaseExpression]


def called_test(call: cst.Call, scope: Scope, classes: Classes) -> cst.BaseExpression | None:
    """What a function in view gives back, as its caller would spell it.

    None if it does more than count and give back an expression, or if that cannot be spelt here.
    """
    called = _called(call, scope, classes)
    answer = _answer(called.definition) if called is not None else None
    if called is None or answer is None or any(argument.star for argument in call.args):
        return None
    inner = called.definition.scope
    replacements: _Replacements = dict(called.arguments(call))
    if called.bound and inner.instance_name is not None and scope.instance_name is not None:
        replacements[inner.instance_name] = cst.Name(scope.instance_name)
    for name in _names(answer):
        if name.value not in replacements:
            constant = _constant(name, inner)
            if constant is not None:
                replacements[name.value] = constant
            elif inner.home(name.value) is not None or not hasattr(builtins, name.value):
                return None
    spelt = answer.visit(_Respelling(replacements))
    return spelt if isinstance(spelt, cst.BaseExpression) else None


def _called(call: cst.Call, scope: Scope, classes: Classes) -> Called | None:
    """A function by its name, or a method of the same instance."""
    match call.func:
        case cst.Name(value=name):
            home = scope.home(name)
            function = home.functions.get(name) if home is not None else None
            return Called(function) if function is not None else None
        case cst.Attribute(value=receiver, attr=cst.Name(value=name)):
            if scope.is_instance(receiver) and scope.within is not None:
                method = classes.method(scope.within, name)
                if method is not None and not method.static:
                    return Called(method, bound=True)
    return None


def _answer(definition: Definition) -> cst.BaseExpression | None:
    """What a function gives back that does nothing else but count."""
    node = definition.node
    if not isinstance(node, cst.FunctionDef) or node.decorators:
        return None
    lines = [line for line in node.body.body if isinstance(line, cst.SimpleStatementLine)]
    statements = [statement for line in lines for statement in line.body]
    if len(lines) != len(node.body.body) or not statements:
        return None
    *before, last = statements
    if node.get_docstring() is not None:
        before = before[1:]
    if not isinstance(last, cst.Return) or any(not isinstance(s, cst.AugAssign) for s in before):
        return None
    return last.value


def _names(node: cst.BaseExpression) -> list[cst.Name]:
    """The names in an expression that stand for something by themselves."""
    parts = [node, *inside(node)]
    attributes = {id(part.attr) for part in parts if isinstance(part, cst.Attribute)}
    keywords = {id(part.keyword) for part in parts if isinstance(part, cst.Arg)}
    return [p for p in parts if isinstance(p, cst.Name) and id(p) not in attributes | keywords]


def _constant(node: cst.Name, scope: Scope) -> cst.BaseExpression | None:
    fixed = fixed_value(node, scope)
    if fixed is None or not isinstance(fixed.value, int):
        return None
    is_flag = isinstance(fixed.value, bool)
    return cst.Name(str(fixed.value)) if is_flag else cst.Integer(str(fixed.value))


class _Respelling(cst.CSTTransformer):
    """Puts arguments in the place of parameters."""

    def __init__(self, replacements: _Replacements) -> None:
        super().__init__()
        self._replacements = replacements

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:
        return self._replacements.get(original_node.value, updated_node)

    def leave_Attribute(
        self, original_node: cst.Attribute, updated_node: cst.Attribute
    ) -> cst.BaseExpression:
        return updated_node.with_changes(attr=original_node.attr)

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:
        return updated_node.with_changes(keyword=original_node.keyword)
