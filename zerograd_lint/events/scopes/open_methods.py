"""Methods that are there for subclasses to fill in."""

from __future__ import annotations

import libcst as cst

from .scope import Definition

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


def _does_nothing(statement: cst.CSTNode) -> bool:
    match statement:
        case cst.Pass() | cst.Return(value=None):
            return True
        case cst.Expr(value=cst.Ellipsis() | cst.SimpleString() | cst.ConcatenatedString()):
            return True
        case cst.Raise(exc=cst.Name(value=name) | cst.Call(func=cst.Name(value=name))):
            return name == _NOT_IMPLEMENTED
    return False
