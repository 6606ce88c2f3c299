"""Move the zeroing between backward and step: the step applies nothing."""

from __future__ import annotations

from collections.abc import Iterator

from ..engines import engine
from ..hidden import TrainingFile
from ..training import BACKWARD, STEP, ZERO, Scope, Site
from .common import delete, optimizers, plain
from .lines import Lines
from .mutant import Mutant, mutant

CODES = {"ZG002", "ZG007"}


def mutants(file: TrainingFile) -> Iterator[Mutant]:
    """One for every zeroing that has its backward and its step beside it, in one block."""
    for scope in file.scopes:
        for owner in optimizers(scope):
            if engine(scope, owner):
                continue
            for site in scope.of(ZERO, owner):
                step = _step_beside(scope, site)
                lines = Lines(file.text)
                if step is None or not plain(lines, [site, step]):
                    continue
                delete(lines, [site])
                lines.insert_before(step.statement, lines.source(site.statement))
                made = mutant(lines, site.line, [scope], CODES)
                if made is not None:
                    yield made


def _step_beside(scope: Scope, site: Site) -> Site | None:
    """The step in the same block that a backward in the same block feeds."""
    beside = [s for s in scope.of(BACKWARD) if s.block == site.block]
    backwards = [s.line for s in beside if s.owner != site.owner]
    for step in scope.of(STEP, site.owner):
        fed = [line for line in backwards if line < step.line]
        if step.block == site.block and not step.argument and fed:
            zeroed_again = [z for z in scope.of(ZERO, site.owner) if max(fed) < z.line < step.line]
            return None if zeroed_again else step
    return None
