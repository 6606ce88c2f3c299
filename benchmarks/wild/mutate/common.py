"""Questions several operators ask of a scope."""

from __future__ import annotations

import ast

from ..hidden import TrainingFile, why_not
from ..training import BACKWARD, STEP, ZERO, Loop, Scope, Site
from .lines import Lines


def optimizers(scope: Scope) -> list[str]:
    """Owners that are both zeroed and stepped here, so that nobody can doubt what they are.

    The result of a call may be another optimizer each time, and is none.
    """
    stepped = set(scope.owners(STEP))
    return [owner for owner in scope.owners(ZERO) if owner in stepped and "(" not in owner]


def training_loop(scope: Scope, owner: str) -> Loop | None:
    """The innermost loop in which the owner is zeroed, fed and stepped, all three."""
    kinds = (scope.of(ZERO, owner), scope.of(BACKWARD), scope.of(STEP, owner))
    shared = [{loop for site in sites for loop in site.loops} for sites in kinds]
    common = shared[0] & shared[1] & shared[2]
    return max(common, key=lambda loop: loop.lineno, default=None)


def trains(scope: Scope, owner: str, loop: Loop | None) -> bool:
    """Whether in the loop (or, without one, anywhere) a backward surely feeds the owner's step."""
    steps = [site for site in scope.of(STEP, owner) if loop is None or loop in site.loops]
    backwards = [site for site in scope.of(BACKWARD) if loop is None or loop in site.loops]
    return any(_surely(backwards, step) for step in steps)


def _surely(backwards: list[Site], step: Site) -> bool:
    """Whether some backward is not skipped when the step is not: no `if` around it that is not
    around the step too, unless its other branch goes backward as well."""
    for site in backwards:
        own = [guard for guard in site.guards if guard not in step.guards]
        if all(_both_branches(guard, backwards) for guard in own):
            return True
    return False


def _both_branches(guard: ast.If, backwards: list[Site]) -> bool:
    lines = [site.line for site in backwards if guard in site.guards]
    split = guard.orelse[0].lineno if guard.orelse else 0
    return bool(split) and min(lines) < split <= max(lines)


def repeats(
    file: TrainingFile, scope: Scope, owner: str, dropped: set[ast.stmt]
) -> list[Scope] | None:
    """The scopes through which the owner's step comes round again uncleared; none if it need not.

    Either a loop in this scope, or loops elsewhere in the file that call it and clear nothing.
    """
    loop = training_loop(scope, owner)
    if loop is not None:
        bad = not trains(scope, owner, loop) or why_not(file, scope, owner, loop, dropped)
        return None if bad else [scope]
    if not trains(scope, owner, None) or why_not(file, scope, owner, None, dropped):
        return None
    return called_in_loop(file, scope, owner, dropped)


def called_in_loop(
    file: TrainingFile, scope: Scope, owner: str, dropped: set[ast.stmt]
) -> list[Scope] | None:
    """This scope and its callers, if some loop calls it and no caller clears or remakes it."""
    callers = file.callers(scope)
    looping = [(caller, loops) for caller, _, loops in callers if loops]
    if not looping:
        return None
    for caller, call, loops in callers:
        given = _argument(scope, call, owner)
        region = loops[-1] if loops else None
        if caller.of(ZERO) or why_not(file, caller, given, region, dropped):
            return None
    return [scope, *(caller for caller, _ in looping)]


def _argument(scope: Scope, call: ast.Call, owner: str) -> str:
    """What the caller calls the owner: the argument for that parameter, else the same name."""
    if isinstance(scope.node, ast.Module):
        return owner
    names = [arg.arg for arg in scope.node.args.args]
    if names[:1] == ["self"]:
        names = names[1:]
    given = dict(zip(names, call.args, strict=False))
    given |= {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
    return ast.unparse(given[owner]) if owner in given else owner


def plain(lines: Lines, sites: list[Site]) -> bool:
    return all(lines.is_plain(site.statement) for site in sites)


def delete(lines: Lines, sites: list[Site]) -> None:
    gone = {site.statement for site in sites}
    for site in sites:
        lines.delete(site.statement, site.block, gone)
