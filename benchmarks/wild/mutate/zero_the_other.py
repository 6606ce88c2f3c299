"""Swap two optimizers: one is cleared in the other's place.

Exchanging two zeroings within one cycle still clears each of them once per cycle, which is no bug
by order alone. So they are exchanged where they belong to different loops, and elsewhere the one
is redirected to the other, which leaves the first uncleared.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from ..hidden import TrainingFile
from ..networks import share_parameters
from ..training import STEP, ZERO, Scope, Site
from .common import optimizers, plain, repeats
from .lines import Lines
from .mutant import Mutant, mutant

CODES = {"ZG006", "ZG001", "ZG004"}


def mutants(file: TrainingFile) -> Iterator[Mutant]:
    """One for every optimizer that has exactly one other beside it, over other parameters."""
    for scope in file.scopes:
        owners = optimizers(scope)
        for owner, other in itertools.pairwise(owners):
            sites, others = scope.of(ZERO, owner), scope.of(ZERO, other)
            gone = {site.statement for site in (*sites, *others)}
            lines = Lines(file.text)
            concerned = repeats(file, scope, owner, gone)
            if (
                concerned is None
                or share_parameters(file.tree, owner, other)
                or not plain(lines, [*sites, *others])
            ):
                continue
            _redirect(lines, sites, other)
            if _apart(scope, owner, other):
                _redirect(lines, others, owner)
            made = mutant(lines, sites[0].line, concerned, CODES)
            if made is not None:
                yield made


def _redirect(lines: Lines, sites: list[Site], owner: str) -> None:
    for site in sites:
        call = lines.source(site.statement).removeprefix(site.owner)
        lines.replace(site.statement, [owner + call])


def _apart(scope: Scope, owner: str, other: str) -> bool:
    """Whether no loop holds both: then each loop clears only the one it does not step."""
    loops = [{loop for s in scope.of(STEP, o) for loop in s.loops} for o in (owner, other)]
    return bool(loops[0]) and bool(loops[1]) and not loops[0] & loops[1]
