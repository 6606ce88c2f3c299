"""Fix a document: apply fixes, check the result, and repeat until no fix is left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ..finding import Finding, SourceError
from .apply import AppliedFixes

MOST_ROUNDS = 20
"""Fixes that touch the same place wait for the next round; more than a few are never needed."""


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
            findings = document.check(applied.text)
        except SourceError as error:
            refused = error.message
            break
        text = applied.text
        total += applied.count
    return FixedDocument(text, total, findings, refused)
