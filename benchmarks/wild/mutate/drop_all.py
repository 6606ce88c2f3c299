"""Drop every zeroing: the function trains on the sum of all gradients it ever saw."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..hidden import TrainingFile, why_not
from ..training import STEP, ZERO, Scope
from .common import delete, optimizers, plain, training_loop, trains
from .lines import Lines
from .mutant import Mutant, mutant

CODES = {"ZG001", "ZG004", "ZG006"}


def mutants(file: TrainingFile) -> Iterator[Mutant]:
    """One for every function whose own loop trains, or that is one iteration of an unseen loop."""
    for scope in file.scopes:
        sites = scope.of(ZERO)
        gone = {site.statement for site in sites}
        owner = next((o for o in optimizers(scope) if _stale(file, scope, o, gone)), None)
        lines = Lines(file.text)
        if owner is None or not plain(lines, sites):
            continue
        delete(lines, sites)
        made = mutant(lines, scope.of(STEP, owner)[0].line, [scope], CODES)
        if made is not None:
            yield made


def _stale(file: TrainingFile, scope: Scope, owner: str, gone: set[ast.stmt]) -> bool:
    loop = training_loop(scope, owner)
    if loop is None and not _one_iteration(file, scope, owner):
        return False
    return trains(scope, owner, loop) and not why_not(file, scope, owner, loop, gone)


def _one_iteration(file: TrainingFile, scope: Scope, owner: str) -> bool:
    """A method nobody here calls, on an optimizer of the object that this file makes and no other
    function clears: whoever calls it, it has to clear by itself."""
    others = [s for s in file.scopes if s is not scope and s.of(ZERO)]
    return (
        owner.startswith("self.")
        and not others
        and not file.callers(scope)
        and any(
            isinstance(node, ast.Assign) and any(ast.unparse(t) == owner for t in node.targets)
            for node in ast.walk(file.tree)
        )
    )
