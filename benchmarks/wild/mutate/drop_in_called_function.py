"""Drop the zeroing in a function that a loop elsewhere in the file calls."""

from __future__ import annotations

from collections.abc import Iterator

from ..hidden import TrainingFile
from ..training import STEP, ZERO
from .common import delete, optimizers, plain, repeats, training_loop
from .lines import Lines
from .mutant import Mutant, mutant

CODES = {"ZG001", "ZG004", "ZG006"}


def mutants(file: TrainingFile) -> Iterator[Mutant]:
    """One for every function that trains without a loop of its own, whose callers clear nothing."""
    for scope in file.scopes:
        sites = scope.of(ZERO)
        gone = {site.statement for site in sites}
        for owner in optimizers(scope)[:1]:
            if training_loop(scope, owner) is not None:
                continue
            concerned = repeats(file, scope, owner, gone)
            lines = Lines(file.text)
            if concerned is None or not plain(lines, sites):
                continue
            delete(lines, sites)
            made = mutant(lines, scope.of(STEP, owner)[0].line, concerned, CODES)
            if made is not None:
                yield made
