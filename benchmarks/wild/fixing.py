"""Does a fix mend what was broken: it parses, is clean at that place, and nothing else changed?"""

from __future__ import annotations

import ast
import difflib
from dataclasses import dataclass

from zerograd_lint import Finding, fixes

from .corpus import lint
from .mutate import Mutant


@dataclass(frozen=True, slots=True)
class Mending:
    """What became of a seeded bug's fix; `wrong` says what is amiss, empty if nothing is."""

    offered: bool
    safe: bool = False
    wrong: str = ""


def mend(mutant: Mutant, named: list[Finding], path: str) -> Mending:
    """Apply the first fix offered for the seeded bug and look at the result."""
    fixable = [finding for finding in named if finding.fix is not None]
    if not fixable:
        return Mending(offered=False)
    fixed, applied = fixes.apply(mutant.text, fixable, unsafe=True)
    safe = all(finding.fix is not None and finding.fix.safe for finding in fixable)
    return Mending(True, safe, _amiss(mutant, fixable, fixed, applied, path))


def _amiss(mutant: Mutant, named: list[Finding], fixed: str, applied: int, path: str) -> str:
    if not applied or fixed == mutant.text:
        return "the fix changed nothing"
    try:
        ast.parse(fixed)
    except SyntaxError as error:
        return f"the result does not parse: {error.msg}"
    stray = _changed(mutant.text, fixed) - _touched(named)
    if stray:
        return f"line {min(stray)} changed as well"
    grown = fixed.count("\n") - mutant.text.count("\n")
    left = [
        finding
        for finding in lint(fixed, path)
        for first, last in mutant.places
        if first <= finding.line <= last + max(grown, 0)
    ]
    return f"{left[0].code} is still said at line {left[0].line}" if left else ""


def _touched(named: list[Finding]) -> set[int]:
    """The lines the fixes say they edit; an insertion belongs to the line it stands before."""
    lines: set[int] = set()
    for finding in named:
        for edit in finding.fix.edits if finding.fix else ():
            lines |= set(range(edit.span.start.line, edit.span.end.line + 1))
    return lines


def _changed(before: str, after: str) -> set[int]:
    """The lines of the old text that are gone or have something new in front of them."""
    one, other = before.splitlines(), after.splitlines()
    changed: set[int] = set()
    for tag, first, last, _, _ in difflib.SequenceMatcher(None, one, other, False).get_opcodes():
        if tag in ("replace", "delete"):
            changed |= set(range(first + 1, last + 1))
    return changed
