"""What a piece of code could do to gradients, by its `ast`: never less than the events it becomes.

Erring on the side of "could" costs time; erring on the other side would lose findings.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any

from ..vocabulary.buffers import GATHERS, GRADIENT_ATTRIBUTES, UPDATES
from ..vocabulary.calls import ON_RECEIVER_ONLY, SCALER_METHODS, ZEROING_METHODS, Effect
from ..vocabulary.evidence import is_scheduler
from ..vocabulary.unread_calls import CHANGES_LISTED, SETS_BY_NAME
from .bindings import bound, walk
from .dotted_names import last_word
from .gradient_buffers import (
    changed_buffer,
    fails_on_none,
    is_buffer,
    may_clear,
    may_update,
    mentions_gradient,
    new_buffers,
    walk_by_guard,
    written_arguments,
)

_BY_NAME = GRADIENT_ATTRIBUTES | ZEROING_METHODS


def gradient_names(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """Names that may hold a gradient, or what is made from one: `g = p.grad`, `step = rate * g`."""
    pairs = [(target, *_mentioned(value)) for target, value in bound(nodes)]
    found: frozenset[str] = frozenset()
    while True:
        more = frozenset(
            part.id
            for target, is_gradient, names in pairs
            if is_gradient or not names.isdisjoint(found)
            for part in walk([target])
            if isinstance(part, ast.Name)
        )
        if more <= found:
            return found
        found |= more


def _mentioned(value: ast.expr) -> tuple[bool, set[str]]:
    """Whether an expression holds a `.grad`, and the names in it."""
    names: set[str] = set()
    for part in walk([value]):
        if type(part) is ast.Name:
            names.add(part.id)
        elif type(part) is ast.Attribute and part.attr in GRADIENT_ATTRIBUTES:
            return True, names
    return False, names


def effects_of(
    nodes: Iterable[ast.AST], by_call: dict[str, Effect], gradients: frozenset[str]
) -> Effect:
    """All that these statements could do; `gradients` are names that may hold one."""
    free, guarded = _EffectReader(by_call, gradients), _EffectReader(by_call, gradients)
    for node, asked in walk_by_guard(nodes):
        read = _READ.get(type(node))
        if read is not None:
            read(guarded if asked else free, node)
    return free.found | (guarded.found & ~_IF_UNGUARDED)


class _EffectReader:
    """Collects the effects of statements, one node at a time."""

    def __init__(self, by_call: dict[str, Effect], gradients: frozenset[str]) -> None:
        self._by_call = by_call
        self._gradients = gradients
        self.found = Effect.NOTHING

    def attribute(self, node: ast.Attribute) -> None:
        if fails_on_none(node.value):
            self.found |= Effect.NEEDED
        if node.attr in GRADIENT_ATTRIBUTES:
            self.found |= Effect.READ if type(node.ctx) is ast.Load else Effect.ZERO
        elif node.attr in ZEROING_METHODS:
            self.found |= Effect.ZERO | Effect.EMPTIED

    def subscript(self, node: ast.Subscript) -> None:
        if is_buffer(node.value):
            self.found |= Effect.NEEDED

    def operation(self, node: ast.BinOp) -> None:
        if is_buffer(node.left) or is_buffer(node.right):
            self.found |= Effect.NEEDED

    def call(self, node: ast.Call) -> None:
        name: str = getattr(node.func, "attr", "") or getattr(node.func, "id", "")
        if name in ON_RECEIVER_ONLY and _is_schedule(node.func):
            return
        effect = self._by_call.get(name)
        if effect is not None:
            self.found |= effect
            if Effect.ZERO in effect:
                self.found |= Effect.EMPTIED
        if name in SCALER_METHODS and _given(node):
            self.found |= Effect.SCALED
        if _acts_unnamed(node, name, self._gradients):
            self.found |= Effect.ZERO | Effect.DEPOSIT
        if any(map(is_buffer, written_arguments(node, name))):
            self.found |= Effect.ZERO | Effect.IN_PLACE | Effect.DEPOSIT
        if isinstance(node.func, ast.Attribute):
            self._method(node, node.func.value, name)

    def _method(self, node: ast.Call, receiver: ast.expr, name: str) -> None:
        if is_buffer(receiver):
            self.found |= changed_buffer(name, node.args)
        elif name == GATHERS and any(map(self._is_gradient, node.args)):
            self.found |= Effect.SHARED
        elif name in UPDATES and any(map(self._is_gradient, _given(node))):
            self.found |= Effect.CONSUME
        elif may_clear(name) and self._is_gradient(receiver):
            self.found |= Effect.ZERO

    def assign(self, node: ast.Assign) -> None:
        self._assigned(node.targets, node.value)

    def annotated_assign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._assigned([node.target], node.value)

    def _assigned(self, targets: list[ast.expr], value: ast.expr) -> None:
        for target in targets:
            self.found |= new_buffers(target, value)
        if self._is_gradient(value):
            if may_update(targets[0], value):
                self.found |= Effect.CONSUME
            if isinstance(targets[0], ast.Subscript):
                self.found |= Effect.SHARED

    def augmented_assign(self, node: ast.AugAssign) -> None:
        if is_buffer(node.target):
            self.found |= (
                Effect.READ | Effect.NEEDED | _AUGMENTED.get(type(node.op), Effect.NOTHING)
            )
        elif self._is_gradient(node.value):
            self.found |= Effect.CONSUME | Effect.SHARED
        elif type(node.op) is ast.Mult and self._is_gradient(node.target):
            self.found |= Effect.ZERO

    def delete(self, node: ast.Delete) -> None:
        if any(map(is_buffer, node.targets)):
            self.found |= Effect.ZERO | Effect.EMPTIED

    def expression(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Call | ast.Constant):
            parts = list(ast.walk(node.value))
            called = {part.func for part in parts if isinstance(part, ast.Call)}
            named = (part for part in parts if isinstance(part, ast.Attribute))
            if any(part.attr in ZEROING_METHODS and part not in called for part in named):
                self.found |= Effect.UNCALLED

    def _is_gradient(self, value: ast.expr) -> bool:
        return mentions_gradient(value, self._gradients)


_IF_UNGUARDED = Effect.IN_PLACE | Effect.NEEDED
"""What no rule reports where an `if` has asked about a gradient."""
_AUGMENTED: dict[type[ast.operator], Effect] = {
    ast.Add: Effect.DEPOSIT | Effect.ZERO | Effect.IN_PLACE,
    ast.Sub: Effect.ZERO | Effect.IN_PLACE,
    ast.Mult: Effect.ZERO | Effect.IN_PLACE,
}
_READ: dict[type[ast.AST], Callable[[_EffectReader, Any], None]] = {
    ast.Attribute: _EffectReader.attribute,
    ast.Subscript: _EffectReader.subscript,
    ast.BinOp: _EffectReader.operation,
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
        return any(mentions_gradient(each, gradients) for each in call.args)
    return name == "exec"


def _is_schedule(method: ast.expr) -> bool:
    """`self.scheduler.step`, also of what a diffusion model follows."""
    name = last_word(method.value) if isinstance(method, ast.Attribute) else ""
    return is_scheduler(name) and "opt" not in name.lower()


def _given(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(keyword.value for keyword in call.keywords)]
