"""Objects that go backward in somebody's place: what else they do is out of sight."""

from __future__ import annotations

import ast
import re

from .training import BACKWARD, Scope

_KNOWN = re.compile(r"accelerator|fabric|autograd", re.IGNORECASE)


def engine(scope: Scope, owner: str) -> str:
    """Why the owner of a function may be in the hands of an engine; empty if it is not."""
    if any(site.owner == owner for site in scope.of(BACKWARD)):
        return "an engine that does both backward and step zeroes by itself"
    if any(_given_a_loss(site.statement) for site in scope.of(BACKWARD)):
        return "an engine out of sight goes backward and may clear"
    return ""


def _given_a_loss(statement: ast.stmt) -> bool:
    """`engine.backward(loss)`, unless it is known what the engine does."""
    return any(
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "backward"
        and any("loss" in ast.unparse(argument) for argument in node.args)
        and not _KNOWN.search(ast.unparse(node.func.value))
        for node in ast.walk(statement)
    )
