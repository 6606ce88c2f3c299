"""What a piece of code could do to gradients, by its `ast`: never less than the events it becomes.

Erring on the side of "could" costs time; erring on the other side would lose findings.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable

from .bindings import bound, walk

DEPOSITS = 1
CONSUMES = 2
ZEROES = 4
READS = 8
"""It uses a `.grad`."""
UNCALLED = 16
"""It names a zeroing as a statement of its own."""
GIVES = 32
"""A step or an unscaling is told on what to act: by a loss scaler, for all one knows."""
ANYTHING = DEPOSITS | CONSUMES | ZEROES | READS | GIVES

BY_CALL = {
    "backward": DEPOSITS,
    "manual_backward": DEPOSITS,
    "step": CONSUMES,
    "optimizer_step": CONSUMES,
    "zero_grad": ZEROES,
}
BUFFERS = frozenset({"grad", "_grad"})
_OVERWRITES = frozenset({"zero_", "fill_", "mul_", "copy_", "zeros_"})
_UPDATES = frozenset("sub_ add_ copy_ mul_ addcdiv_ addcmul_ lerp_ set_ data".split())
_WORTH_A_LOOK = re.compile(r"backward|zero_grad|optimizer_step|\.\s*(?:step|_?grad)\b")
_RENAMED = {
    word: re.compile(word + r"[ \t]+as[ \t]+(\w+)") for word in ("backward", "optimizer_step")
}


def worth_a_look(text: str) -> bool:
    """Whether code could do anything at all; other names for it aside."""
    return _WORTH_A_LOOK.search(text) is not None


def renamed(text: str) -> dict[str, int]:
    """What imports give another name: `from torch.autograd import backward as run_back`."""
    return {
        name: BY_CALL[word]
        for word, pattern in _RENAMED.items()
        if word in text
        for name in pattern.findall(text)
    }


def gradient_names(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """Names that may hold a gradient: `g = p.grad`."""
    return frozenset(
        part.id
        for target, value in bound(nodes)
        if _mentions(value, frozenset())
        for part in walk([target])
        if isinstance(part, ast.Name)
    )


def acts(nodes: Iterable[ast.AST], by_call: dict[str, int], gradients: frozenset[str]) -> int:
    """All that these statements could do; `gradients` are names that may hold one."""
    done = 0
    stored: Counter[str] = Counter()
    remade: list[tuple[set[str], ast.expr]] = []
    for node in walk(nodes):
        if isinstance(node, ast.Name):
            if type(node.ctx) is ast.Store:
                stored[node.id] += 1
        elif isinstance(node, ast.Attribute):
            if node.attr in BUFFERS:
                done |= READS if type(node.ctx) is ast.Load else ZEROES | DEPOSITS
            elif node.attr == "zero_grad":
                done |= ZEROES
        elif isinstance(node, ast.Call):
            done |= _called(node, by_call, gradients)
        elif isinstance(node, ast.Assign):
            done |= _assigned(node.targets, node.value, gradients, remade)
        elif isinstance(node, ast.AnnAssign):
            if node.value is not None:
                done |= _assigned([node.target], node.value, gradients, remade)
        elif isinstance(node, ast.AugAssign):
            if _mentions(node.target, frozenset()):
                done |= ZEROES | READS
            elif _mentions(node.value, gradients):
                done |= CONSUMES
        elif isinstance(node, ast.Delete):
            if any(_mentions(target, frozenset()) for target in node.targets):
                done |= ZEROES
        elif isinstance(node, ast.Expr):
            if isinstance(node.value, ast.Attribute) and node.value.attr == "zero_grad":
                done |= UNCALLED
    for names, value in remade:
        # `w = w - lr * w.grad` applies a gradient; `norm = w.grad.norm()` is none to apply it to.
        used = {part.id for part in walk([value]) if isinstance(part, ast.Name)}
        if used & names or any(stored[name] > 1 for name in names):
            done |= CONSUMES
    return done


def _called(call: ast.Call, by_call: dict[str, int], gradients: frozenset[str]) -> int:
    func = call.func
    name: str = getattr(func, "attr", "") or getattr(func, "id", "")
    done = by_call.get(name, 0)
    if name in ("step", "unscale_") and _given(call):
        done |= GIVES
    if name in _OVERWRITES and _mentions(call, frozenset()):
        done |= ZEROES | DEPOSITS
    if name in _UPDATES and any(_mentions(argument, gradients) for argument in _given(call)):
        done |= CONSUMES
    return done


def _assigned(
    targets: list[ast.expr],
    value: ast.expr,
    gradients: frozenset[str],
    remade: list[tuple[set[str], ast.expr]],
) -> int:
    done = 0
    if any(_mentions(target, frozenset()) for target in targets):
        done = ZEROES | DEPOSITS
    if _mentions(value, gradients):
        parts = list(walk(targets))
        if any(type(part) in (ast.Attribute, ast.Subscript) for part in parts):
            return done | CONSUMES
        remade.append(({part.id for part in parts if type(part) is ast.Name}, value))
    return done


def _given(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def _mentions(node: ast.AST, gradients: frozenset[str]) -> bool:
    """Whether an expression holds a `.grad`, or a name that may stand for one."""
    for part in walk([node]):
        if type(part) is ast.Attribute:
            if part.attr in BUFFERS:
                return True
        elif type(part) is ast.Name and part.id in gradients:
            return True
    return False
