"""Functions and lambdas become definitions: each with its scope and an empty program."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...program import Function, Ref
from ...syntax.names import dotted
from .scope import ClassInfo, Definition, Scope


def define(
    node: cst.FunctionDef | cst.Lambda,
    scope: Scope,
    enclosing: Function,
    owner: ClassInfo | None,
    name: str,
    suffix: str = "",
) -> Definition:
    """Give a function or lambda its scope and an empty program; `suffix` tells copies apart."""
    prefix = owner.instance.scope if owner is not None else scope.id
    decorators: tuple[str, ...] = ()
    if isinstance(node, cst.FunctionDef):
        decorators = tuple(_decorator(decorator) for decorator in node.decorators)
    static = "staticmethod" in decorators
    taken = owner.methods if owner is not None else scope.functions
    identity = f"{prefix}.{name}" + (f"#{id(node)}" if name in taken or name == "<lambda>" else "")
    identity += suffix
    inner = Scope(identity, scope, owner, owner)
    for parameter in _parameters(node.params):
        inner.parameters[parameter.name.value] = parameter
    if owner is not None and not static and inner.parameters:
        inner.instance_name = next(iter(inner.parameters))
    function = Function(
        name=name,
        scope=identity,
        parameters=tuple(Ref(identity, parameter) for parameter in inner.parameters),
        owner_class=owner.instance.scope if owner is not None else None,
        enclosing=enclosing,
        module=enclosing.module,
    )
    return Definition(node, inner, function, static, decorators)


def _decorator(node: cst.Decorator) -> str:
    """The name of a decorator, given arguments or not."""
    called = node.decorator.func if isinstance(node.decorator, cst.Call) else node.decorator
    return dotted(called) or ""


def _parameters(parameters: cst.Parameters) -> Iterator[cst.Param]:
    yield from parameters.posonly_params
    yield from parameters.params
    if isinstance(parameters.star_arg, cst.Param):
        yield parameters.star_arg
    yield from parameters.kwonly_params
    if parameters.star_kwarg is not None:
        yield parameters.star_kwarg
