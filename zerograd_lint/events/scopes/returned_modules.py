"""Modules that a function imports and gives back, or keeps in a variable of the file.

`torch = _torch()` and `torch = _loaded` are as good as an import.
"""

from __future__ import annotations

import libcst as cst

from ...syntax.literals import is_none
from ...syntax.names import dotted
from .scope import Definition, FileIndex, Scope, Value

_MAX_DEPTH = 3
"""Functions that give back what another one gives back."""


def bind_returned_modules(index: FileIndex) -> None:
    """Let names that stand for such a module, and for nothing else, count as imported."""
    for definition in index.definitions:
        scope = definition.scope
        for name in _shared_by_cells(definition):
            del scope.parameters[name]
        for name, values in list(scope.assigned.items()):
            modules = {_module(value) if value is not None else None for value in values}
            module = modules.pop()
            if not modules and module is not None and scope.imports.full(name) in (None, module):
                del scope.assigned[name]
                scope.imports.bind(name, module)


def _shared_by_cells(definition: Definition) -> list[str]:
    """The parameters of a cell of a marimo notebook that are modules which another cell imports.

    A cell is a function that is given the names it uses by the cells that define them.
    """
    scope, outer = definition.scope, definition.scope.parent
    if outer is None or not any(_makes_cells(name, outer) for name in definition.decorators):
        return []
    imported = [name for name in scope.parameters if scope.imports.full(name) is not None]
    return [name for name in imported if name not in scope.assigned]


def _makes_cells(decorator: str, scope: Scope) -> bool:
    """`@app.cell`, after `app = marimo.App()`."""
    app, _, method = decorator.partition(".")
    value = scope.only_value(app)
    made = value.expression if value is not None else None
    name = dotted(made.func) if isinstance(made, cst.Call) else None
    return method == "cell" and name is not None and scope.imports.full(name) == "marimo.App"


def _module(value: Value) -> str | None:
    """The module that a call in view gives back, as a whole or at some place of a tuple, or that a
    variable of the file holds."""
    if value.iterated or len(value.index) > 1:
        return None
    place = value.index[0] if value.index else None
    match value.expression:
        case cst.Call() as call:
            return _given_back(call, place, value.scope, _MAX_DEPTH)
        case cst.Name(value=name) if place is None:
            return _kept(name, value.scope)
    return None


def _kept(name: str, scope: Scope) -> str | None:
    """The module that a variable is given wherever it is not None: `_loaded = torch`."""
    home = scope.home(name)
    if home is None or home.parent is not None:
        return None
    modules = {
        _named(value.expression, None, value.scope, _MAX_DEPTH)
        if value is not None and not value.iterated and not value.index
        else None
        for value in home.assigned.get(name, ())
        if value is None or not is_none(value.expression)
    }
    return modules.pop() if len(modules) == 1 else None


def _given_back(call: cst.Call, place: int | None, scope: Scope, depth: int) -> str | None:
    function = _called(call, scope)
    if function is None or function.unread_decorator or not depth:
        return None
    modules = {
        _named(node.value, place, function.scope, depth)
        for node in function.nodes(cst.Return)
        if node.value is not None and not is_none(node.value)
    }
    return modules.pop() if len(modules) == 1 else None


def _called(call: cst.Call, scope: Scope) -> Definition | None:
    match call.func:
        case cst.Name(value=name):
            home = scope.home(name)
            return home.functions.get(name) if home is not None else None
        case cst.Attribute(value=base, attr=cst.Name(value=name)) if scope.is_instance(base):
            return scope.within.methods.get(name) if scope.within is not None else None
    return None


def _named(node: cst.BaseExpression, place: int | None, scope: Scope, depth: int) -> str | None:
    """The imported module, or member of one, that an expression of a function names."""
    if isinstance(node, cst.Tuple) and place is not None:
        return (
            _named(node.elements[place].value, None, scope, depth)
            if place < len(node.elements)
            else None
        )
    if isinstance(node, cst.Call):
        return _given_back(node, place, scope, depth - 1)
    name = dotted(node) if place is None else None
    if name is None or not _is_import(name.partition(".")[0], scope):
        return None
    full = scope.imports.full(name)
    return None if full is None or full.startswith(".") else full


def _is_import(name: str, scope: Scope) -> bool:
    """Whether nothing but an import gives the name a value; None stands for one that failed."""
    home = scope.home(name)
    return home is None or (
        name in home.assigned
        and all(value is not None and is_none(value.expression) for value in home.assigned[name])
    )
