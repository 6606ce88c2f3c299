"""A file with one bug sown into it, and where and how the linter must say so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..hidden import TrainingFile
from ..training import Scope
from .lines import Lines


@dataclass(frozen=True, slots=True)
class Mutant:
    text: str
    line: int
    """Of the statement that was changed, in the original."""
    original_places: tuple[tuple[int, int], ...]
    places: tuple[tuple[int, int], ...]
    """First and last lines of the functions concerned, before and after."""
    codes: frozenset[str]
    """Any of these, anywhere in the places, names the bug."""


Operator = Callable[[TrainingFile], Iterator[Mutant]]


def mutant(lines: Lines, line: int, concerned: list[Scope], codes: set[str]) -> Mutant | None:
    """The mutant these edits make; none if the text did not change."""
    text = lines.text()
    if text == lines.original:
        return None
    before = tuple(scope.lines for scope in concerned)
    after = tuple((lines.moved(first), lines.moved(last)) for first, last in before)
    return Mutant(text, line, before, after, frozenset(codes))
