"""Apply fixes to text: never two that touch the same place, and again until nothing changes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from .. import check_source
from ..config.settings import DEFAULT, Settings
from ..files import python_parser
from ..finding import Edit, Finding, Fix, Position, SourceError

_LINE_START = re.compile(r"\r\n|\r|\n")
_MAX_ROUNDS = 20


@dataclass(frozen=True, slots=True)
class FixResult:
    text: str
    applied: int
    remaining: list[Finding]


def apply(text: str, findings: Iterable[Finding], *, unsafe: bool = False) -> tuple[str, int]:
    """Apply the fixes that do not get in each other's way; the new text and how many there were."""
    starts = [0, *(match.end() for match in _LINE_START.finditer(text))]
    chosen: list[tuple[int, int, str]] = []
    applied = 0
    for fix in _wanted(findings, unsafe):
        edits = [_offsets(edit, starts, len(text)) for edit in fix.edits]
        if any(_collide(edit, other) for edit in edits for other in chosen):
            continue
        candidate = _splice(text, [*chosen, *edits])
        if not _parses(candidate):
            continue
        chosen.extend(edits)
        applied += 1
    return _splice(text, chosen), applied


def fix_source(
    text: str, filename: str = "<string>", settings: Settings = DEFAULT, *, unsafe: bool = False
) -> FixResult:
    """Fix, look again, and go on until nothing more can be mended."""
    total = 0
    for _ in range(_MAX_ROUNDS):
        findings = check_source(text, filename, settings=settings)
        mended, applied = apply(text, findings, unsafe=unsafe)
        if not applied or mended == text:
            return FixResult(text, total, findings)
        text = mended
        total += applied
    return FixResult(text, total, check_source(text, filename, settings=settings))


def _wanted(findings: Iterable[Finding], unsafe: bool) -> list[Fix]:
    return [f.fix for f in findings if f.fix is not None and (f.fix.safe or unsafe)]


def _offsets(edit: Edit, starts: list[int], end: int) -> tuple[int, int, str]:
    def offset(position: Position) -> int:
        if position.line > len(starts):
            return end
        return min(starts[position.line - 1] + position.column - 1, end)

    return offset(edit.span.start), offset(edit.span.end), edit.replacement


def _collide(one: tuple[int, int, str], other: tuple[int, int, str]) -> bool:
    if one[0] == one[1] and other[0] == other[1]:
        return one[0] == other[0] and one[2] == other[2]
    return (one[0] < other[1] and other[0] < one[1]) or one[0] == other[0]


def _splice(text: str, edits: list[tuple[int, int, str]]) -> str:
    pieces: list[str] = []
    at = 0
    for start, end, replacement in sorted(edits, key=lambda edit: edit[:2]):
        pieces += [text[at:start], replacement]
        at = end
    return "".join([*pieces, text[at:]])


def _parses(text: str) -> bool:
    try:
        python_parser.parse(text)
    except SyntaxError:
        # Newer syntax than this interpreter's is still libcst's to judge.
        import libcst

        try:
            libcst.parse_module(text)
        except libcst.ParserSyntaxError:
            return False
    except ValueError as error:
        raise SourceError(str(error)) from error
    return True
