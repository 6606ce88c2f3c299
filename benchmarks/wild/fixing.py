"""Does a fix mend what was broken: it parses, is clean at that place, and nothing else changed?"""

from __future__ import annotations

import ast
import difflib
from dataclasses import dataclass

from zerograd_lint import Finding
from zerograd_lint.fixing import apply

from .corpus import lint
from .mutate import Mutant

_ROUNDS = 5


@dataclass(frozen=True, slots=True)
class Mending:
    """What became of a seeded bug's fix; `wrong` says what is amiss, empty if nothing is."""

    offered: bool
    safe: bool = False
    wrong: str = ""


def mend(mutant: Mutant, named: list[Finding], path: str) -> Mending:
    """Fix as the command does, again and again until nothing at that place can be mended."""
    if not any(finding.fix for finding in named):
        return Mending(offered=False)
    safe = all(finding.fix.safe for finding in named if finding.fix)
    text, found = mutant.text, named
    for _ in range(_ROUNDS):
        fixable = [finding for finding in found if finding.fix]
        if not fixable:
            break
        fixed, applied = apply.apply(text, fixable, unsafe=True)
        wrong = _amiss(text, fixable, fixed, applied)
        if wrong:
            return Mending(True, safe, wrong)
        text, found = fixed, _left(mutant, fixed, path)
    still = f"{found[0].code} is still said at line {found[0].line}" if found else ""
    return Mending(True, safe, still)


def _amiss(text: str, named: list[Finding], fixed: str, applied: int) -> str:
    if not applied or fixed == text:
        return "the fix changed nothing"
    try:
        ast.parse(fixed)
    except SyntaxError as error:
        return f"the result does not parse: {error.msg}"
    stray = _changed(text, fixed) - _touched(named)
    return f"line {min(stray)} changed as well" if stray else ""


def _left(mutant: Mutant, fixed: str, path: str) -> list[Finding]:
    """What is still said where the bug was sown; the places grow with the text."""
    grown = max(fixed.count("\n") - mutant.text.count("\n"), 0)
    return [
        finding
        for finding in lint(fixed, path)
        if any(first <= finding.line <= last + grown for first, last in mutant.places)
    ]


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
