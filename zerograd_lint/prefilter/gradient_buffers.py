"""Gradients touched by hand, by the `ast`: what the events will ask of libcst's nodes."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ..vocabulary.buffers import (
    ADDS,
    CHANGES_BUFFER,
    CLEARS,
    CLEARS_IF_ZERO,
    GRADIENT_ATTRIBUTES,
    KEEPS_BUFFER,
    OVERWRITES,
    SAME_GRADIENT,
    ZERO_FACTORIES,
)
from ..vocabulary.calls import Effect
from ..vocabulary.unread_calls import IN_PLACE
from .bindings import parts, walk

_COLLECTIONS = (
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
    *(ast.List, ast.Tuple, ast.Set, ast.Dict),
)
_FUNCTIONS = frozenset({ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda})


def is_buffer(node: ast.expr) -> bool:
    """Whether this is a gradient or a part of one: `w.grad`, `w.grad.data`, `w.grad[0]`."""
    while True:
        match node:
            case ast.Attribute(attr=name) if name in GRADIENT_ATTRIBUTES:
                return True
            case (
                ast.Attribute(value=inner, attr=name)
                | ast.Call(func=ast.Attribute(value=inner, attr=name))
            ) if name in SAME_GRADIENT or _gives_itself(node, name):
                node = inner
            case ast.Subscript(value=inner) | ast.NamedExpr(value=inner):
                node = inner
            case _:
                return False


def _gives_itself(node: ast.expr, name: str) -> bool:
    """`w.grad.sign_()`: a method that changes a gradient gives it back."""
    return isinstance(node, ast.Call) and name.endswith(IN_PLACE) and not name.startswith("_")


def mentions_gradient(node: ast.AST, names: frozenset[str] = frozenset()) -> bool:
    """Whether an expression holds a `.grad`, or a name that may stand for one."""
    for part in walk([node]):
        if type(part) is ast.Attribute:
            if part.attr in GRADIENT_ATTRIBUTES:
                return True
        elif type(part) is ast.Name and part.id in names:
            return True
    return False


def walk_by_guard(nodes: Iterable[ast.AST]) -> Iterator[tuple[ast.AST, bool]]:
    """All nodes below these, each with whether an `if` around it asks about a gradient."""
    free, guarded = list(nodes), list[ast.AST]()
    while free or guarded:
        asked = not free
        node = (free or guarded).pop()
        yield node, asked
        if type(node) is ast.If and not asked and mentions_gradient(node.test):
            free.append(node.test)
            guarded += node.body
            guarded += node.orelse
        else:
            # A function that is defined there may be called from anywhere.
            (guarded if asked and type(node) not in _FUNCTIONS else free).extend(parts(node))


def fails_on_none(receiver: ast.expr) -> bool:
    """Whether a use of an attribute of this fails if a gradient is None: `f(w.grad).item()`."""
    if is_buffer(receiver):
        return True
    while isinstance(receiver, ast.Attribute):
        receiver = receiver.value
    return not isinstance(receiver, ast.Name) and mentions_gradient(receiver)


def changed_buffer(method: str, given: list[ast.expr]) -> Effect:
    """What a method of a gradient does to it."""
    found = Effect.ZERO if may_clear(method) else Effect.NOTHING
    if method in CLEARS or (method in CLEARS_IF_ZERO and given and _is_zero(given[0])):
        found |= Effect.IN_PLACE
    if method in OVERWRITES or method in ADDS:
        found |= Effect.DEPOSIT
    return found


def may_clear(method: str) -> bool:
    """Whether nothing may be left of a tensor on which a method is called: `g.zero_()`."""
    return method in CHANGES_BUFFER or (method.endswith(IN_PLACE) and method not in KEEPS_BUFFER)


def written_arguments(call: ast.Call, name: str) -> list[ast.expr]:
    """What a function may write into: `nn.init.zeros_(w.grad)`, `torch.mul(g, 0, out=w.grad)`."""
    out = [keyword.value for keyword in call.keywords if keyword.arg == "out"]
    return out + (call.args[:1] if name in CHANGES_BUFFER else [])


def new_buffers(target: ast.expr, value: ast.expr) -> Effect:
    """What giving a value to a target does to gradients in it."""
    if isinstance(target, ast.Tuple | ast.List):
        whole = Effect.NOTHING
        for part, given in _pairs(target.elts, value):
            whole |= new_buffers(part, given)
        return whole
    if not is_buffer(target):
        return Effect.NOTHING
    if not _is_zero(value):
        shared = Effect.SHARED if is_buffer(value) else Effect.NOTHING
        return Effect.ZERO | Effect.DEPOSIT | shared
    if isinstance(target, ast.Subscript):
        return Effect.ZERO | Effect.IN_PLACE
    return Effect.ZERO | Effect.EMPTIED


def _pairs(targets: list[ast.expr], value: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(targets):
        return list(zip(targets, value.elts, strict=True))
    return [(target, value) for target in targets]


def may_update(target: ast.expr, value: ast.expr) -> bool:
    """Whether a value that is made of a gradient may be the next one of a target.

    `w = w - lr * w.grad` is; `norm = w.grad.norm()` has nothing to apply a gradient to.
    """
    if is_buffer(target) or isinstance(value, _COLLECTIONS):
        return False
    match target:
        case ast.Name(id=name):
            return any(type(part) is ast.Name and part.id == name for part in walk([value]))
        case ast.Attribute(attr=name) if name != "data" and _is_dotted(target):
            return any(type(part) is ast.Attribute and part.attr == name for part in walk([value]))
    return True


def _is_dotted(node: ast.expr) -> bool:
    """`a.b.c`: a chain of names."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


def _is_zero(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=value):
            return value is None or (type(value) in (int, float) and value == 0)
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)):
            return name in ZERO_FACTORIES
    return False
