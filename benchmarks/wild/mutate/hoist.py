"""Hoist the zeroing before the loop: it runs once, the step runs every batch."""

from __future__ import annotations

from collections.abc import Iterator

from ..hidden import TrainingFile, why_not
from ..training import ZERO
from .common import delete, optimizers, plain, training_loop, trains
from .lines import Lines
from .mutant import Mutant, mutant

CODES = {"ZG004", "ZG001"}


def mutants(file: TrainingFile) -> Iterator[Mutant]:
    """One for every optimizer zeroed in the innermost loop that trains it."""
    for scope in file.scopes:
        for owner in optimizers(scope):
            loop = training_loop(scope, owner)
            if loop is None or not trains(scope, owner, loop):
                continue
            sites = [site for site in scope.of(ZERO, owner) if loop in site.loops]
            gone = {site.statement for site in sites}
            lines = Lines(file.text)
            if not plain(lines, sites) or why_not(file, scope, owner, loop, gone):
                continue
            delete(lines, sites)
            lines.insert_before(loop, lines.source(sites[0].statement))
            made = mutant(lines, sites[0].line, [scope], CODES)
            if made is not None:
                yield made
