"""Whether two versions of a function do the same to gradients: what a fix is compared by.

A function is reduced to its calls that clear, deposit, apply, clip or scale, in their order, inside
their loops and conditions. In a loop, and in a function that is called again and again, clearing
before the backward and clearing after the step are the same: such lists are compared as circles.
"""

from __future__ import annotations

import ast
import re

from .places import Function, Loop, blocks

_ZEROED = re.compile(r"zero<[^>]*>")
_CALLS = {
    "zero_grad": "zero",
    "backward": "backward",
    "manual_backward": "backward",
    "step": "step",
    "unscale_": "unscale",
    "update": "update",
    "no_sync": "no_sync",
    "clip_grad_norm": "clip",
    "clip_grad_norm_": "clip",
    "clip_grad_value_": "clip",
    "dispatch_clip_grad": "clip",
    "clip_gradients": "clip",
}


def same_substance(one: ast.AST, other: ast.AST) -> bool:
    """Whether the gradient calls of two functions agree."""
    ours, theirs = _circle(_outline(one)), _circle(_outline(other))
    return ours == theirs or _one_owner(ours) == _one_owner(theirs)


def _one_owner(entries: list[str]) -> str:
    """The outline where only one thing is cleared: then it does not matter under which name."""
    text = " ".join(entries)
    return _ZEROED.sub("zero", text) if len(set(_ZEROED.findall(text))) == 1 else text


def _outline(node: ast.AST) -> list[str]:
    """The gradient calls of a block in order; a loop or a condition is one entry."""
    return [entry for block in blocks(node) for s in block for entry in _entries(s)]


def _entries(statement: ast.stmt) -> list[str]:
    if isinstance(statement, Function | ast.ClassDef):
        return []
    own = [_named(call) for call in _own_calls(statement)]
    own = [name for name in own if name]
    if isinstance(statement, Loop):
        return [*own, f"loop({' '.join(_circle(_outline(statement)))})"]
    if isinstance(statement, ast.If):
        branches = [[e for s in branch for e in _entries(s)] for branch in blocks(statement)]
        inner = " | ".join(" ".join(branch) for branch in branches)
        test = ast.unparse(statement.test)
        return [*own, f"if {test}: ({inner})"] if any(branches) else own
    return [*own, *_outline(statement)]


def _own_calls(statement: ast.stmt) -> list[ast.Call]:
    """The calls in a statement's own expressions, not those in its blocks."""
    inside = {id(node) for block in blocks(statement) for s in block for node in ast.walk(s)}
    calls = [n for n in ast.walk(statement) if isinstance(n, ast.Call) and id(n) not in inside]
    return sorted(calls, key=lambda call: (call.end_lineno or 0, call.end_col_offset or 0))


def _named(call: ast.Call) -> str:
    """`zero optimizer`, `clip`: the effect, and whose; clearing a module is clearing."""
    if isinstance(call.func, ast.Name):
        return _CALLS.get(call.func.id, "")
    if not isinstance(call.func, ast.Attribute):
        return ""
    effect = _CALLS.get(call.func.attr, "")
    if effect == "update" and call.args:
        return ""  # a meter or a dictionary
    receiver = ast.unparse(call.func.value)
    if effect == "step" and "sched" in receiver.lower():
        return ""
    return f"{effect}<{receiver}>" if effect in ("zero", "step") else effect


def _circle(entries: list[str]) -> list[str]:
    """The rotation that comes first: where a circle starts says nothing."""
    turns = [entries[i:] + entries[:i] for i in range(len(entries))]
    return min(turns, default=[])
