"""The classes that an annotation names: `Optimizer` of `Optional["torch.optim.Optimizer"]`."""

from __future__ import annotations

import builtins
import contextlib
from collections.abc import Iterator

import libcst as cst

from ...syntax.names import dotted
from ...syntax.walk import children
from ...vocabulary.frameworks import MODULES_TAKEN_FOR_CLASSES
from ..scopes.scope import Scope

_SAYS_NOTHING = ("typing.", "typing_extensions.", "collections.")
"""What stands around the classes, or for any of them."""


def classes_in(annotation: cst.BaseExpression, scope: Scope) -> Iterator[cst.Name | cst.Attribute]:
    """All that an annotation names, but for what may be anything; strings are read as well."""
    pending: list[cst.CSTNode] = [annotation]
    expanded: set[str] = set()
    while pending:
        node = pending.pop()
        if isinstance(node, cst.SimpleString):
            with contextlib.suppress(cst.ParserSyntaxError):
                pending.append(cst.parse_expression(str(node.evaluated_value)))
        elif isinstance(node, cst.Name | cst.Attribute) and dotted(node) is not None:
            alias = _alias(node, scope) if dotted(node) not in expanded else None
            if alias is not None:
                expanded.add(dotted(node) or "")
                pending.append(alias)
            elif not _says_nothing(dotted(node) or "", scope):
                yield node
        else:
            pending += children(node)


def _alias(node: cst.Name | cst.Attribute, scope: Scope) -> cst.BaseExpression | None:
    """`Callable[[Net], Optimizer]`, where the module gives that a name."""
    value = scope.only_value(node.value) if isinstance(node, cst.Name) else None
    if value is None or value.scope.parent is not None or value.scope.module != scope.module:
        return None
    spelt = value.expression
    return spelt if isinstance(spelt, cst.Subscript | cst.BinaryOperation) else None


def _says_nothing(name: str, scope: Scope) -> bool:
    full = scope.imports.full(name)
    if full is None:
        return hasattr(builtins, name)
    return full.startswith(_SAYS_NOTHING) or full in MODULES_TAKEN_FOR_CLASSES
