"""Drop the zeroing in a closure given to `step`: every evaluation adds to the last."""

from __future__ import annotations

from collections.abc import Iterator

from ..hidden import TrainingFile, why_not
from ..training import BACKWARD, STEP, ZERO, Scope, Site
from .common import called_in_loop, delete, plain
from .lines import Lines
from .mutant import Mutant, mutant

CODES = {"ZG001", "ZG004"}


def mutants(file: TrainingFile) -> Iterator[Mutant]:
    """One for every closure that zeroes and goes backward, and is stepped with again and again."""
    for scope in file.scopes:
        for step in scope.of(STEP):
            closure = _closure(file, scope, step)
            if closure is None:
                continue
            sites = closure.of(ZERO)
            lines = Lines(file.text)
            if not sites or not closure.of(BACKWARD) or not plain(lines, sites):
                continue
            concerned = _repeated(file, scope, closure, step)
            if concerned is None:
                continue
            delete(lines, sites)
            made = mutant(lines, sites[0].line, concerned, CODES)
            if made is not None:
                yield made


def _closure(file: TrainingFile, scope: Scope, step: Site) -> Scope | None:
    named = [s for s in file.scopes if s.name == step.argument and s.parent is scope]
    return named[0] if step.argument and len(named) == 1 else None


def _repeated(file: TrainingFile, scope: Scope, closure: Scope, step: Site) -> list[Scope] | None:
    """Where the closure runs again: a loop around the step, or an optimizer that evaluates it."""
    gone = {site.statement for site in closure.of(ZERO)}
    if why_not(file, closure, step.owner, None, gone) or scope.of(ZERO):
        return None
    if step.loops:
        reason = why_not(file, scope, step.owner, step.innermost, gone)
        return None if reason else [scope, closure]
    if f"{step.owner} = " in file.text and "LBFGS(" in file.text:
        return [scope, closure]
    callers = called_in_loop(file, scope, step.owner, gone)
    return None if callers is None else [*callers, closure]
