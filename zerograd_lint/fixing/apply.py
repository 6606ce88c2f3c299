"""Apply fixes to a text: never two that touch the same place, and only what libcst can read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ..finding import Edit, Finding, Fix, Position
from .read_back import refusal

_LINE_END = re.compile(r"\r\n|\r|\n")
_Replacement = tuple[int, int, str]
"""Start and end of the replaced characters, and what comes in their place."""


@dataclass(frozen=True, slots=True)
class AppliedFixes:
    """A text with fixes in it."""

    text: str
    count: int
    """How many fixes are in it."""
    refused: str = ""
    """Why fixes were left out that touch no other's place; empty if none was."""


def apply(text: str, findings: Iterable[Finding], *, unsafe: bool = False) -> AppliedFixes:
    """Apply as many of the findings' fixes as go together; unsafe ones only on demand."""
    starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
    fixes = [
        [_replacement(edit, starts, len(text)) for edit in fix.edits]
        for fix in _wanted(findings, unsafe)
    ]
    together = _without_collisions(fixes)
    if not together:
        return AppliedFixes(text, 0)
    fixed = _splice(text, together)
    refused = refusal(fixed)
    if not refused:
        return AppliedFixes(fixed, len(together))
    return _one_by_one(text, fixes, refused) if len(fixes) > 1 else AppliedFixes(text, 0, refused)


def _one_by_one(text: str, fixes: list[list[_Replacement]], refused: str) -> AppliedFixes:
    """Leave out only those fixes that make the text unreadable."""
    chosen: list[list[_Replacement]] = []
    for fix in fixes:
        more = _without_collisions([*chosen, fix])
        if len(more) > len(chosen) and not refusal(_splice(text, more)):
            chosen = more
    return AppliedFixes(_splice(text, chosen), len(chosen), refused)


def _wanted(findings: Iterable[Finding], unsafe: bool) -> list[Fix]:
    return [f.fix for f in findings if f.fix is not None and (f.fix.safe or unsafe)]


def _replacement(edit: Edit, starts: list[int], end: int) -> _Replacement:
    def offset(position: Position) -> int:
        if position.line > len(starts):
            return end
        return min(starts[position.line - 1] + position.column - 1, end)

    return offset(edit.span.start), offset(edit.span.end), edit.replacement


def _without_collisions(fixes: list[list[_Replacement]]) -> list[list[_Replacement]]:
    """The fixes that touch no place which an earlier one touches."""
    chosen: list[list[_Replacement]] = []
    for fix in fixes:
        if not any(_collide(one, other) for one in fix for taken in chosen for other in taken):
            chosen.append(fix)
    return chosen


def _collide(one: _Replacement, other: _Replacement) -> bool:
    if one[0] == one[1] and other[0] == other[1]:
        return one[0] == other[0] and one[2] == other[2]
    return (one[0] < other[1] and other[0] < one[1]) or one[0] == other[0]


def _splice(text: str, fixes: list[list[_Replacement]]) -> str:
    pieces: list[str] = []
    at = 0
    edits = [edit for fix in fixes for edit in fix]
    for start, end, replacement in sorted(edits, key=lambda edit: edit[:2]):
        pieces += [text[at:start], replacement]
        at = end
    return "".join([*pieces, text[at:]])
