"""Drop one optimizer's zeroing among several: the others hide that it is missing."""

from __future__ import annotations

from collections.abc import Iterator

from ..hidden import TrainingFile
from ..networks import share_parameters
from ..training import STEP, ZERO
from .common import delete, optimizers, plain, repeats
from .lines import Lines
from .mutant import Mutant, mutant

CODES = {"ZG001", "ZG004", "ZG006"}


def mutants(file: TrainingFile) -> Iterator[Mutant]:
    """One for every optimizer that has a companion over other parameters in the same function."""
    for scope in file.scopes:
        owners = optimizers(scope)
        for owner in owners:
            others = [other for other in owners if other != owner]
            if not others or any(share_parameters(file.tree, owner, other) for other in others):
                continue
            sites = scope.of(ZERO, owner)
            lines = Lines(file.text)
            concerned = repeats(file, scope, owner, {site.statement for site in sites})
            if concerned is None or not plain(lines, sites):
                continue
            delete(lines, sites)
            made = mutant(lines, scope.of(STEP, owner)[0].line, concerned, CODES)
            if made is not None:
                yield made
