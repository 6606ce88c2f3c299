"""Make the zeroing run every micro-batch while the step runs every N: accumulation is defeated."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..engines import engine
from ..hidden import TrainingFile
from ..training import BACKWARD, STEP, ZERO, Loop, Scope, Site
from .common import delete, optimizers, plain
from .lines import Lines
from .mutant import Mutant, mutant


def mutants(file: TrainingFile) -> Iterator[Mutant]:
    """One for every optimizer whose zeroing belongs to a window of several backward passes; an
    engine may count windows of its own."""
    for scope in file.scopes:
        for owner in optimizers(scope):
            if engine(scope, owner):
                continue
            for site in scope.of(ZERO, owner):
                loop = _window_guard(scope, site) or _window_loop(scope, site)
                lines = Lines(file.text)
                if loop is None or not plain(lines, [site]):
                    continue
                delete(lines, [site])
                lines.insert_before(loop.body[0], lines.source(site.statement))
                made = mutant(lines, site.line, [scope], {"ZG007"})
                if made is not None:
                    yield made


def _window_guard(scope: Scope, site: Site) -> Loop | None:
    """`for batch: backward; if (i + 1) % n == 0: step; zero`: the loop, if backward is outside."""
    loop = site.innermost
    if loop is None or not any(_counts(guard.test, loop) for guard in site.guards):
        return None
    place = (site.loops, site.guards)
    steps = [s for s in scope.of(STEP, site.owner) if (s.loops, s.guards) == place]
    backwards = [s for s in scope.of(BACKWARD) if s.loops == site.loops]
    unguarded = [s for s in backwards if not set(s.guards) & set(site.guards)]
    return loop if steps and unguarded and unguarded == backwards else None


def _counts(test: ast.expr, loop: Loop) -> bool:
    """Whether a condition counts micro-batches: by a modulo, or a name the loop sets from one."""
    if any(isinstance(node, ast.Mod) for node in ast.walk(test)):
        return True
    names = {node.id for node in ast.walk(test) if isinstance(node, ast.Name)}
    for statement in loop.body:
        if isinstance(statement, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id in names for target in statement.targets
        ):
            return any(isinstance(node, ast.Mod) for node in ast.walk(statement.value))
    return False


def _window_loop(scope: Scope, site: Site) -> Loop | None:
    """`zero; for micro: backward` and then the step, in one block: the inner loop."""
    inner = [
        loop
        for loop in site.block
        if isinstance(loop, Loop)
        and loop.lineno > site.line
        and any(s.innermost is loop for s in scope.of(BACKWARD))
        and not any(loop in s.loops for s in (*scope.of(STEP), *scope.of(ZERO)))
    ]
    stepped = [s for s in scope.of(STEP, site.owner) if s.block == site.block]
    others = [s for s in scope.of(BACKWARD) if not inner or inner[0] not in s.loops]
    if len(inner) != 1 or others or not any(s.line > inner[0].lineno for s in stepped):
        return None
    return inner[0]
