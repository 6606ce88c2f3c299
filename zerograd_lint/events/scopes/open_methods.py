"""Methods that are there for subclasses to fill in."""

from __future__ import annotations

import libcst as cst

from ...syntax.names import dotted
from .inheritance import lineage
from .scope import ClassInfo, Definition, FileIndex, Scope

_ABSTRACT = "abstractmethod"
_NOT_IMPLEMENTED = "NotImplementedError"


def is_left_to_subclasses(definition: Definition) -> bool:
    """Whether a method does nothing by itself: `pass`, `raise NotImplementedError`."""
    node = definition.node
    if definition.scope.within is None or not isinstance(node, cst.FunctionDef):
        return False
    if not definition.scope.parameters:
        return False  # a stub: the excerpt leaves out what has nothing to do with gradients
    if any(name.rpartition(".")[2] == _ABSTRACT for name in definition.decorators):
        return True
    lines = node.body.body
    return all(
        _does_nothing(small)
        for line in lines
        for small in (line.body if isinstance(line, cst.SimpleStatementLine) else [line])
    )


def is_overridden(call: cst.Call, definition: Definition, scope: Scope, index: FileIndex) -> bool:
    """`self.update()`, where a subclass in view has written another one, and the class is not made.

    A class of which there are only subclasses runs what those have written.
    """
    owner = definition.scope.within
    match call.func:
        case cst.Attribute(value=receiver, attr=cst.Name(value=name)) if owner is not None:
            return (
                scope.is_instance(receiver)
                and any(
                    (found := each.methods.get(name)) is not None
                    and found.node is not definition.node
                    for each in index.classes
                    if each is not owner and owner in lineage(each)
                )
                and not _is_made(owner, index)
            )
    return False


def _is_made(owner: ClassInfo, index: FileIndex) -> bool:
    calls = (call for each in index.definitions for call in each.nodes(cst.Call))
    return any(dotted(call.func) == owner.name for call in calls)


def _does_nothing(statement: cst.CSTNode) -> bool:
    match statement:
        case cst.Pass() | cst.Return(value=None):
            return True
        case cst.Expr(value=cst.Ellipsis() | cst.SimpleString() | cst.ConcatenatedString()):
            return True
        case cst.Raise(exc=cst.Name(value=name) | cst.Call(func=cst.Name(value=name))):
            return name == _NOT_IMPLEMENTED
    return False
