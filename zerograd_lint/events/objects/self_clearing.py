"""Does an optimizer of one's own empty the buffers when it steps, itself or by what it calls?"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...syntax.names import last_name
from ...vocabulary.buffers import CLEARS
from ...vocabulary.calls import ZEROING_METHODS
from ...vocabulary.unread_calls import CHANGES_LISTED
from ..scopes.scope import ClassInfo, Definition, Scope
from .buffer_access import buffer_owner, is_part, is_zero
from .classes import Classes
from .gradient_writes import Written, cancels, written

_MOST_FUNCTIONS = 12
_ZERO = "zero"


def clears_itself(owner: ClassInfo, classes: Classes) -> bool:
    """Whether the step of a class, or a function in view that it runs, clears gradients."""
    step = classes.method(owner, "step")
    pending = [step] if step is not None else []
    seen: list[Definition] = []
    while pending and len(seen) < _MOST_FUNCTIONS:
        current = pending.pop()
        if _clears(current):
            return True
        seen.append(current)
        pending += (each for each in _called(current, owner, classes) if each not in seen)
    return False


def _clears(definition: Definition) -> bool:
    words = {node.attr.value for node in definition.nodes(cst.Attribute)}
    return (
        not words.isdisjoint(ZEROING_METHODS | CLEARS)
        or _clears_by_hand(definition)
        or any(_clears_by_call(call, definition.scope) for call in definition.nodes(cst.Call))
    )


def _clears_by_call(call: cst.Call, scope: Scope) -> bool:
    """`p.grad.mul_(0)`, `torch._foreach_zero_(gradients)`."""
    name = last_name(call.func) or ""
    write = written(call, scope)
    clears = write is not None and write.effect in (Written.CLEARS, Written.UNKNOWN)
    return clears or (name in CHANGES_LISTED and _ZERO in name)


def _called(definition: Definition, owner: ClassInfo, classes: Classes) -> Iterator[Definition]:
    """The functions in view that a function calls, and the methods of its own object."""
    scope = definition.scope
    for call in definition.nodes(cst.Call):
        found = None
        match call.func:
            case cst.Name(value=name):
                home = scope.home(name)
                found = home.functions.get(name) if home is not None else None
            case cst.Attribute(value=cst.Name(value=name), attr=cst.Name(value=method)):
                if name == scope.instance_name:
                    found = classes.method(owner, method)
            case cst.Attribute(value=cst.Call(func=cst.Name(value="super")), attr=method_name):
                found = classes.method_above(scope, method_name.value)
        if found is not None:
            yield found


def _clears_by_hand(definition: Definition) -> bool:
    """`p.grad = None`, `p.grad *= 0`, `del p.grad`."""
    targets: list[cst.BaseExpression] = [
        target.target
        for assign in definition.nodes(cst.Assign)
        if is_zero(assign.value, definition.scope)
        for target in assign.targets
    ]
    targets += [
        node.target for node in definition.nodes(cst.AugAssign) if cancels(node, definition.scope)
    ]
    targets += [node.target for node in definition.nodes(cst.Del)]
    return any(buffer_owner(target) is not None and not is_part(target) for target in targets)
