"""The stated rules by which a mutant is no bug, or cannot be told to be one, and is not counted."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from .engines import engine
from .networks import networks
from .training import STEP, ZERO, Function, Loop, Scope

_CLEARS = re.compile(r"zero|(reset|clear)\w*grad|grads?_to_none|flush", re.I)
_MAY_TRAIN = re.compile(
    r"zero|grad|optim|step|hook|before|after|^on_|callback|update|train|backward|call|closure", re.I
)
_HARMLESS = re.compile(
    r"lr|learning_rate|sched|warmup|anneal|clip|norm|save|load|ckpt|checkpoint|log|print|scale"
    r"|^update$|^(len|isinstance|hasattr|getattr|id|type|enumerate|zip|list|tuple|dict|set|repr|str)$"
    r"|append|^to$|prepare|parameters|state_dict|summary|write",
    re.I,
)
_CALLBACK = re.compile(r"^on_|callback|hook", re.I)
_TOUCHES = re.compile(r"zero|grad|optim|step|backward|update|train|fit|learn", re.I)
_OPTIMIZER_METHODS = frozenset({"zero_grad", "step", "state_dict", "load_state_dict"})
_HOOKS = "register_post_accumulate_grad_hook"


@dataclass(frozen=True, slots=True)
class TrainingFile:
    """A parsed file, with what is needed to judge one of its scopes."""

    text: str
    tree: ast.Module
    scopes: list[Scope]

    def resolve(self, call: ast.Call, scope: Scope) -> list[Scope]:
        """The functions of this file that a call may mean, by name and, for `self.x()`, class."""
        match call.func:
            case ast.Name(id=name):
                return [s for s in self.scopes if s.name == name and not s.class_name]
            case ast.Attribute(value=ast.Name(id="self"), attr=name):
                return [s for s in self.scopes if s.name == name and s.class_name]
        return []

    def callers(self, callee: Scope) -> list[tuple[Scope, ast.Call, tuple[Loop, ...]]]:
        """Every call of a function from another scope of this file."""
        return [
            (scope, call, loops)
            for scope in self.scopes
            for call, loops in scope.calls
            if scope is not callee and callee in self.resolve(call, scope)
        ]


def why_not(
    file: TrainingFile, scope: Scope, owner: str, loop: Loop | None, dropped: set[ast.stmt]
) -> str:
    """Why dropping these statements need not leave `owner` uncleared; empty if it must."""
    if _HOOKS in file.text:
        return "the optimizer steps in a hook"
    if reason := engine(scope, owner):
        return reason
    if loop is not None and _runs_once(loop):
        return "the loop runs once"
    if any(_closure_hides(file, scope, site.argument, dropped) for site in scope.of(STEP, owner)):
        return "a closure may clear it"
    region: ast.AST = loop if loop is not None else scope.node
    if _made_in(region, owner):
        return "the optimizer is made anew in every iteration"
    for site in scope.of(ZERO):
        inside = loop is None or loop in site.loops
        if inside and site.statement not in dropped and _may_cover(scope, site.owner, owner):
            return f"{site.owner}.zero_grad() may clear it"
    return _hidden(file, scope, owner, region, dropped, depth=3)


def _may_cover(scope: Scope, zeroed: str, owner: str) -> bool:
    """The owner itself, or a module; another optimizer that steps here clears only its own."""
    return zeroed == owner or zeroed not in scope.owners(STEP)


def _closure_hides(file: TrainingFile, scope: Scope, name: str, dropped: set[ast.stmt]) -> bool:
    """Whether the closure given to `step` cannot be read, or zeroes."""
    if not name:
        return False
    closures = [s for s in file.scopes if s.name == name and s.parent is scope]
    return not closures or any(
        site.statement not in dropped for closure in closures for site in closure.of(ZERO)
    )


def _runs_once(loop: Loop) -> bool:
    if isinstance(loop.body[-1], ast.Break | ast.Return):
        return True
    return isinstance(loop, ast.For | ast.AsyncFor) and ast.unparse(loop.iter) in {
        "range(1)",
        "range(0, 1)",
    }


def _made_in(region: ast.AST, owner: str) -> bool:
    """Whether the owner's name, the name it hangs on or the index it stands at is bound here."""
    names = {owner, *re.findall(r"[A-Za-z_]\w*", owner.partition("[")[2])}
    root = re.split(r"[.\[]", owner)[0]
    if root != "self":
        names.add(root)
    for node in _own_nodes(region):
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr | ast.For | ast.withitem):
            targets = getattr(node, "targets", None) or [
                getattr(node, "target", None) or getattr(node, "optional_vars", None)
            ]
            for target in targets:
                parts = _leaves(target) if target is not None else []
                if any(ast.unparse(part) in names for part in parts):
                    return True
    return False


def _leaves(target: ast.expr) -> list[ast.expr]:
    """The single names and attributes that a tuple target binds."""
    if isinstance(target, ast.Tuple | ast.List):
        return [leaf for element in target.elts for leaf in _leaves(element)]
    return [target.value if isinstance(target, ast.Starred) else target]


def _hidden(
    file: TrainingFile,
    scope: Scope,
    owner: str,
    region: ast.AST,
    dropped: set[ast.stmt],
    depth: int,
) -> str:
    """A clearing that is no `zero_grad()` statement: by hand, by a helper, by code out of sight."""
    skipped = {id(node) for statement in dropped for node in ast.walk(statement)}
    for node in _own_nodes(region):
        if id(node) in skipped:
            continue
        if _writes_grad(node):
            return "gradients are written by hand"
        if not isinstance(node, ast.Call):
            continue
        name = _name(node)
        callees = file.resolve(node, scope)
        if not callees and _may_clear(name):
            return f"{name}() may clear it"
        for callee in callees:
            reason = ""
            if depth and callee is not scope:
                reason = _hidden_in(file, callee, owner, dropped, depth)
            if reason:
                return reason.format(name=name)
        if not callees and _out_of_sight(file, node, name, owner):
            return f"{name}() is out of sight and may clear it"
    return ""


def _hidden_in(
    file: TrainingFile, callee: Scope, owner: str, dropped: set[ast.stmt], depth: int
) -> str:
    """The same for a function of the file that is called on the way."""
    if any(site.statement not in dropped for site in callee.of(ZERO)):
        return "{name}() in this file zeroes"
    return _hidden(file, callee, owner, callee.node, dropped, depth - 1)


def _may_clear(name: str) -> bool:
    return bool(_CLEARS.search(name)) and name != "zero_grad" and "zeros" not in name


def _out_of_sight(file: TrainingFile, call: ast.Call, name: str, owner: str) -> bool:
    """Unknown code that is handed the optimizer or its network, or a method from another file."""
    receiver = ast.unparse(call.func.value) if isinstance(call.func, ast.Attribute) else ""
    if receiver in ("self", "super()"):
        return _MAY_TRAIN.search(name) is not None
    if receiver and _CALLBACK.search(name):
        return True
    if receiver == owner and name not in _OPTIMIZER_METHODS:
        return _MAY_TRAIN.search(name) is not None
    if name == "step" and "scaler" in receiver.lower():
        return False
    given = {
        ast.unparse(a).removesuffix(".parameters()")
        for a in (*call.args, *(k.value for k in call.keywords))
    }
    parts = owner.split(".")
    holders = {".".join(parts[: n + 1]) for n in range(len(parts))}
    if _HARMLESS.search(name):
        return False
    if given & holders:
        return True
    return _TOUCHES.search(name) is not None and bool(given & networks(file.tree, owner))


def _writes_grad(node: ast.AST) -> bool:
    match node:
        case ast.Assign(targets=targets) | ast.Delete(targets=targets):
            return any(_is_grad(t) for t in targets)
        case ast.Call(func=ast.Attribute(value=value, attr="zero_" | "copy_" | "fill_")):
            return _is_grad(value)
    return False


def _is_grad(value: ast.expr) -> bool:
    """`p.grad`, its data, or some elements of it."""
    while isinstance(value, ast.Subscript) or (
        isinstance(value, ast.Attribute) and value.attr in ("data", "_data")
    ):
        value = value.value
    return isinstance(value, ast.Attribute) and value.attr in ("grad", "_grad")


def _name(call: ast.Call) -> str:
    match call.func:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""


def _own_nodes(region: ast.AST) -> list[ast.AST]:
    """All nodes, without those of nested functions and classes (unless the region is one)."""
    found: list[ast.AST] = []
    waiting = [region]
    while waiting:
        node = waiting.pop()
        found.append(node)
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, (*Function.__args__, ast.ClassDef)):
                waiting.append(child)
    return found
