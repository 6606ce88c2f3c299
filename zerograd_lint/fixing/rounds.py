"""Fix a document: apply fixes, check the result, and repeat until no fix is left.

Each fix holds when it is applied alone. Several at once are kept only if they hold together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ..finding import Finding, SourceError
from .apply import AppliedFixes

MOST_ROUNDS = 20
"""Fixes that do not go together wait for the next round; more than a few are never needed."""


class Fixable(Protocol):
    """A text that can be checked, and that fixes can be applied to."""

    @property
    def text(self) -> str:
        """The text as it was before any fix."""

    def check(self, text: str) -> list[Finding]:
        """The findings in a version of the text; `SourceError` if it cannot be checked."""

    def apply(self, text: str, findings: Sequence[Finding], *, unsafe: bool) -> AppliedFixes:
        """A version of the text with fixes applied; `SourceError` if it cannot be written."""


@dataclass(frozen=True, slots=True)
class FixedDocument:
    """What fixing a document led to."""

    text: str
    applied: int
    remaining: list[Finding]
    refused: str = ""
    """Why a fix was not applied; empty if every wanted one was."""


def fix(document: Fixable, findings: list[Finding], *, unsafe: bool) -> FixedDocument:
    """Fix what was found in a document's text; what is left is checked again each time."""
    text = document.text
    total = 0
    refused = ""
    for _ in range(MOST_ROUNDS):
        try:
            applied = document.apply(text, findings, unsafe=unsafe)
            refused = applied.refused
            if not applied.count or applied.text == text:
                break
            left = document.check(applied.text)
            if applied.count > 1 and len(left) > len(findings) - applied.count:
                applied = _first_alone(document, text, findings, unsafe)
                left = document.check(applied.text)
            findings = left
        except SourceError as error:
            refused = error.message
            break
        text = applied.text
        total += applied.count
    return FixedDocument(text, total, findings, refused)


def _first_alone(
    document: Fixable, text: str, findings: Sequence[Finding], unsafe: bool
) -> AppliedFixes:
    """The text with one fix: together with others it would not hold."""
    for finding in findings:
        applied = document.apply(text, [finding], unsafe=unsafe)
        if applied.count:
            return applied
    raise AssertionError("several fixes were applied, so one of them can be")
