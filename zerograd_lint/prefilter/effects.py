"""What a piece of code could do to gradients, by its `ast`: never less than the events it becomes.

Erring on the side of "could" costs time; erring on the other side would lose findings.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from ..vocabulary.buffers import CHANGES_BUFFER, GRADIENT_ATTRIBUTES, UPDATES
from ..vocabulary.calls import SCALER_METHODS, ZEROING_METHODS, Effect
from ..vocabulary.unread_calls import CHANGES_LISTED, SETS_BY_NAME
from .bindings import bound, walk

_NEW_BUFFER = Effect.ZERO | Effect.DEPOSIT | Effect.BY_HAND
"""A gradient is cleared or replaced by hand: which of them cannot be told by the `ast` alone."""
_BY_NAME = GRADIENT_ATTRIBUTES | ZEROING_METHODS
_NO_NAMES: frozenset[str] = frozenset()


def gradient_names(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """Names that may hold a gradient, or what is made from one: `g = p.grad`, `step = rate * g`."""
    pairs = list(bound(nodes))
    found = _NO_NAMES
    while True:
        more = frozenset(
            part.id
            for target, value in pairs
            if _mentions_gradient(value, found)
            for part in walk([target])
            if isinstance(part, ast.Name)
        )
        if more <= found:
            return found
        found |= more


def effects_of(
    nodes: Iterable[ast.AST], by_call: dict[str, Effect], gradients: frozenset[str]
) -> Effect:
    """All that these statements could do; `gradients` are names that may hold one."""
    reader = _EffectReader(by_call, gradients)
    for node in walk(nodes):
        read = _READ.get(type(node))
        if read is not None:
            read(reader, node)
    return reader.result()


class _EffectReader:
    """Collects the effects of statements, one node at a time."""

    def __init__(self, by_call: dict[str, Effect], gradients: frozenset[str]) -> None:
        self._by_call = by_call
        self._gradients = gradients
        self._found = Effect.NOTHING
        self._stored: Counter[str] = Counter()
        self._computed: list[tuple[set[str], ast.expr]] = []
        """Names that get a value which holds a gradient."""

    def result(self) -> Effect:
        for names, value in self._computed:
            # `w = w - lr * w.grad` applies a gradient; `norm = w.grad.norm()` has none to apply to.
            used = {part.id for part in walk([value]) if isinstance(part, ast.Name)}
            if used & names or any(self._stored[name] > 1 for name in names):
                return self._found | Effect.CONSUME
        return self._found

    def name(self, node: ast.Name) -> None:
        if type(node.ctx) is ast.Store:
            self._stored[node.id] += 1

    def attribute(self, node: ast.Attribute) -> None:
        if node.attr in GRADIENT_ATTRIBUTES:
            self._found |= Effect.READ if type(node.ctx) is ast.Load else _NEW_BUFFER
        elif node.attr in ZEROING_METHODS:
            self._found |= Effect.ZERO

    def call(self, node: ast.Call) -> None:
        name: str = getattr(node.func, "attr", "") or getattr(node.func, "id", "")
        effect = self._by_call.get(name)
        if effect is not None:
            self._found |= effect
        if name in SCALER_METHODS and _given(node):
            self._found |= Effect.SCALED
        if name in CHANGES_BUFFER and _mentions_gradient(node, _NO_NAMES):
            self._found |= _NEW_BUFFER
        if _acts_unnamed(node, name, self._gradients):
            self._found |= _NEW_BUFFER
        if name in UPDATES and any(self._is_gradient(argument) for argument in _given(node)):
            self._found |= Effect.CONSUME

    def assign(self, node: ast.Assign) -> None:
        self._assigned(node.targets, node.value)

    def annotated_assign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._assigned([node.target], node.value)

    def _assigned(self, targets: list[ast.expr], value: ast.expr) -> None:
        if any(_mentions_gradient(target, _NO_NAMES) for target in targets):
            self._found |= _NEW_BUFFER
        if not self._is_gradient(value):
            return
        parts = list(walk(targets))
        if any(type(part) in (ast.Attribute, ast.Subscript) for part in parts):
            self._found |= Effect.CONSUME
        else:
            names = {part.id for part in parts if isinstance(part, ast.Name)}
            self._computed.append((names, value))

    def augmented_assign(self, node: ast.AugAssign) -> None:
        if _mentions_gradient(node.target, _NO_NAMES):
            self._found |= Effect.ZERO | Effect.READ | Effect.BY_HAND
        elif self._is_gradient(node.value):
            self._found |= Effect.CONSUME

    def delete(self, node: ast.Delete) -> None:
        if any(_mentions_gradient(target, _NO_NAMES) for target in node.targets):
            self._found |= Effect.ZERO | Effect.BY_HAND

    def expression(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Attribute) and node.value.attr in ZEROING_METHODS:
            self._found |= Effect.UNCALLED

    def _is_gradient(self, value: ast.expr) -> bool:
        return _mentions_gradient(value, self._gradients)


_READ: dict[type[ast.AST], Callable[[_EffectReader, Any], None]] = {
    ast.Name: _EffectReader.name,
    ast.Attribute: _EffectReader.attribute,
    ast.Call: _EffectReader.call,
    ast.Assign: _EffectReader.assign,
    ast.AnnAssign: _EffectReader.annotated_assign,
    ast.AugAssign: _EffectReader.augmented_assign,
    ast.Delete: _EffectReader.delete,
    ast.Expr: _EffectReader.expression,
}


def _acts_unnamed(call: ast.Call, name: str, gradients: frozenset[str]) -> bool:
    """`setattr(p, "grad", None)`, `getattr(o, "zero_grad")()`, `torch._foreach_zero_(grads)`."""
    if name in SETS_BY_NAME or name == "getattr":
        named = call.args[1] if len(call.args) > 1 else None
        return isinstance(named, ast.Constant) and named.value in _BY_NAME
    if name in CHANGES_LISTED:
        return any(_mentions_gradient(each, gradients) for each in call.args)
    return name == "exec"


def _given(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def _mentions_gradient(node: ast.AST, gradients: frozenset[str]) -> bool:
    """Whether an expression holds a `.grad`, or a name that may stand for one."""
    for part in walk([node]):
        if type(part) is ast.Attribute:
            if part.attr in GRADIENT_ATTRIBUTES:
                return True
        elif type(part) is ast.Name and part.id in gradients:
            return True
    return False
