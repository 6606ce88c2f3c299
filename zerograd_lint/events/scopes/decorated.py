"""Decorators in view: a call of what they decorate runs the function that they put in its place.

Only those that act on gradients are entered. All others leave a function what it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import libcst as cst

from ...program import Ref
from ...syntax.names import dotted
from ...syntax.walk import everything_in
from ...vocabulary.buffers import GRADIENT_ATTRIBUTES
from ...vocabulary.calls import EFFECTS
from .define import define
from .scope import Definition, FileIndex, Scope, Value

_ACTS = EFFECTS.keys() | GRADIENT_ATTRIBUTES
_Add = Callable[[Definition], None]
"""Takes in a definition that has been made."""


class _Applied(NamedTuple):
    """A decorator as it stands above a function."""

    definition: Definition
    arguments: list[cst.Arg] | None
    """What it is called with; None if it is the decorator itself."""


def has_acting_decorator(definition: Definition) -> bool:
    """Whether a decorator in view does anything to gradients around the function."""
    return _is_wrapped(definition) or _is_managed(definition)


def _is_wrapped(definition: Definition) -> bool:
    return any(_acts(applied.definition) for applied in _decorators(definition))


def _is_managed(definition: Definition) -> bool:
    """`@timed`, an object of a class in view, some method of which acts on gradients."""
    outer = definition.scope.parent
    owners = [outer.class_of(name) for name in definition.decorators] if outer is not None else []
    return any(_acts(method) for owner in owners if owner for method in owner.methods.values())


def enter_decorators(index: FileIndex, modules: Mapping[str, Scope], add: _Add) -> None:
    """Put what acting decorators make of functions in the place of these."""
    made: dict[Definition, Definition] = {}
    known = list(index.definitions)
    tables = [scope.functions for scope in modules.values()]
    tables += [each.scope.functions for each in known]
    tables += [owner.methods for owner in index.classes]
    for definition in known:
        if definition.decorators and _is_wrapped(definition):
            wrapper = _decorated(definition, add)
            if wrapper is not None:
                made[definition] = wrapper
                definition.decorators = ()
    if made:
        for table in tables:
            table.update({name: made[each] for name, each in table.items() if each in made})
        for owner in index.classes:
            owner.above.update({k: made[each] for k, each in owner.above.items() if each in made})


def _decorated(definition: Definition, add: _Add) -> Definition | None:
    """What the acting decorators make of a function; None if one of its decorators is not read."""
    if definition.unread_decorator or definition.static:
        return None
    found: Definition | None = definition
    for applied in reversed(list(_decorators(definition))):
        if found is not None and _acts(applied.definition):
            found = _wrapped(applied, found, definition, add)
    return found


def _decorators(definition: Definition) -> Iterator[_Applied]:
    outer, node = definition.scope.parent, definition.node
    if outer is None or not isinstance(node, cst.FunctionDef) or not definition.decorators:
        return
    for above in node.decorators:
        call = above.decorator if isinstance(above.decorator, cst.Call) else None
        name = dotted(call.func if call is not None else above.decorator) or ""
        home = outer.home(name)
        function = home.functions.get(name) if home is not None else None
        if function is not None:
            yield _Applied(function, list(call.args) if call is not None else None)


def _acts(decorator: Definition) -> bool:
    return any(
        isinstance(node, cst.Attribute) and node.attr.value in _ACTS
        for node in everything_in(decorator.node)
    )


def _wrapped(
    applied: _Applied, inner: Definition, definition: Definition, add: _Add
) -> Definition | None:
    """A function as a decorator gives it back: one that is defined in the decorator."""
    decorator = applied.definition
    outer, enclosing = decorator.scope.parent, decorator.function.enclosing
    if outer is None or enclosing is None or not isinstance(decorator.node, cst.FunctionDef):
        return None
    name = decorator.function.name
    own = define(decorator.node, outer, enclosing, None, name, f"@{inner.scope.id}")
    add(own)
    applies: Definition | None = own
    if applied.arguments is not None:
        _supply(own.scope, applied.arguments, definition.scope.parent or outer)
        applies = _given_back(own)
    if applies is None or not applies.scope.parameters:
        return None
    function = next(iter(applies.scope.parameters))
    del applies.scope.parameters[function]
    applies.scope.functions[function] = inner
    wrapper = _given_back(applies)
    if wrapper is not None and wrapper is not inner:
        _stand_for(wrapper, inner)
    return wrapper


def _given_back(definition: Definition) -> Definition | None:
    """The function that a function defines and gives back."""
    returned = [node.value for node in definition.nodes(cst.Return)]
    if len(returned) != 1 or not isinstance(returned[0], cst.Name):
        return None
    return definition.scope.functions.get(returned[0].value)


def _supply(scope: Scope, arguments: list[cst.Arg], outside: Scope) -> None:
    """Let the parameters of a decorator stand for what it is called with."""
    names = iter(list(scope.parameters))
    for argument in arguments:
        name = argument.keyword.value if argument.keyword is not None else next(names, "")
        if name in scope.parameters and not argument.star:
            del scope.parameters[name]
            scope.assigned[name] = [Value(argument.value, outside)]


def _stand_for(wrapper: Definition, inner: Definition) -> None:
    """Let a function be called as the one it is put in the place of."""
    scope = wrapper.scope
    scope.stands_for = inner
    # What it hands on without a name has the names of those who get it.
    named = {name: each for name, each in scope.parameters.items() if not each.star}
    scope.parameters.clear()
    scope.parameters.update(named)
    scope.parameters.update(list(inner.scope.parameters.items())[len(named) :])
    wrapper.function.parameters = tuple(Ref(scope.id, name) for name in scope.parameters)
    owner = inner.scope.within
    if owner is not None:
        scope.within, scope.defined_in = owner, inner.scope.defined_in
        scope.instance_name = next(iter(scope.parameters), None)
        wrapper.function.owner_class = owner.instance.scope
