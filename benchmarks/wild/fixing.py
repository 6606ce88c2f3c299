"""Does a fix mend what was broken: it parses, is clean at that place, and nothing else changed?"""

from __future__ import annotations

import ast
import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from zerograd_lint import Finding
from zerograd_lint.fixing.apply import AppliedFixes, apply
from zerograd_lint.fixing.rounds import fix

from .corpus import lint
from .mutate import Mutant


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
    seeded = _SeededText(mutant, path)
    left = fix(seeded, named, unsafe=True).remaining
    still = f"{left[0].code} is still said at line {left[0].line}" if left else ""
    return Mending(True, safe, seeded.wrong or still)


class _SeededText:
    """A text with a seeded bug: only findings at the bug count, and every fix is looked at."""

    def __init__(self, mutant: Mutant, path: str) -> None:
        self.text = mutant.text
        self.wrong = ""
        """What is amiss with the first fix that is not right."""
        self._places = mutant.places
        self._path = path

    def check(self, text: str) -> list[Finding]:
        grown = max(text.count("\n") - self.text.count("\n"), 0)
        return [
            finding
            for finding in lint(text, self._path)
            if any(first <= finding.line <= last + grown for first, last in self._places)
        ]

    def apply(self, text: str, findings: Sequence[Finding], *, unsafe: bool) -> AppliedFixes:
        fixable = [finding for finding in findings if finding.fix]
        applied = apply(text, fixable, unsafe=unsafe)
        if fixable and not self.wrong:
            self.wrong = _amiss(text, fixable, applied)
        return applied


def _amiss(text: str, named: list[Finding], applied: AppliedFixes) -> str:
    if not applied.count or applied.text == text:
        return f"the fix changed nothing {applied.refused}".rstrip()
    try:
        ast.parse(applied.text)
    except SyntaxError as error:
        return f"the result does not parse: {error.msg}"
    stray = _changed(text, applied.text) - _touched(named)
    return f"line {min(stray)} changed as well" if stray else ""


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
