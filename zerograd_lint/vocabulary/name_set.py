"""A set of identifiers described by whole names and by parts of names."""

from __future__ import annotations

import re

_WORD_START = r"(?:^|_)"
_WORD_END = r"(?:$|_)"


class NameSet:
    """Identifiers, by what they are, begin with, end with or contain.

    Every group may hold several entries, separated by spaces.
    """

    __slots__ = ("_exact", "_pattern")

    def __init__(
        self,
        *,
        exact: tuple[str, ...] = (),
        starts: tuple[str, ...] = (),
        ends: tuple[str, ...] = (),
        starts_and_ends: tuple[tuple[str, str], ...] = (),
        parts: tuple[str, ...] = (),
        words: tuple[str, ...] = (),
        word_starts: tuple[str, ...] = (),
        word_ends: tuple[str, ...] = (),
        ignore_case: bool = False,
    ) -> None:
        """In `words`, `word_starts` and `word_ends`, words are what underscores separate."""
        self._exact = frozenset(_entries(exact))
        alternatives = [
            *_entries(parts),
            *(f"^{start}" for start in _entries(starts)),
            *(f"{end}$" for end in _entries(ends)),
            *(rf"^{start}\w*{end}$" for start, end in starts_and_ends),
            *(f"{_WORD_START}{word}{_WORD_END}" for word in _entries(words)),
            *(f"{_WORD_START}{word}" for word in _entries(word_starts)),
            *(f"{word}{_WORD_END}" for word in _entries(word_ends)),
        ]
        self._pattern = re.compile("|".join(alternatives), re.IGNORECASE if ignore_case else 0)

    def __contains__(self, name: str) -> bool:
        return name in self._exact or self._pattern.search(name) is not None


def _entries(groups: tuple[str, ...]) -> list[str]:
    return " ".join(groups).split()
