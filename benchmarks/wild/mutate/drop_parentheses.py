"""Drop the parentheses: `optimizer.zero_grad` names the method and does nothing."""

from __future__ import annotations

from collections.abc import Iterator

from ..hidden import TrainingFile
from ..training import ZERO
from .lines import Lines
from .mutant import Mutant, mutant


def mutants(file: TrainingFile) -> Iterator[Mutant]:
    """One for every zeroing; a bare attribute is a mistake whatever stands around it."""
    for scope in file.scopes:
        for site in scope.of(ZERO):
            lines = Lines(file.text)
            if lines.is_plain(site.statement):
                lines.replace(site.statement, [f"{site.owner}.zero_grad"])
                made = mutant(lines, site.line, [scope], {"ZG005"})
                if made is not None:
                    yield made
