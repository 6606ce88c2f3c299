"""Choose the fixes that hold: applied alone, a fix removes its finding and adds none.

Whether it does is found out by checking the changed text, before anybody sees the fix. Findings
are rare, so this costs next to nothing over a tree; in a file full of them it is bounded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace

from ..finding import Finding, Fix, SourceError
from ..fixing.apply import apply
from ..fixing.source_lines import SourceLines
from ..rules.registry import all_rules
from .draft import Draft, Remedy

_MOST_WORK = 60_000
"""Characters and steps that checking the fixes of one file may take, beside the first check."""
_AT_LEAST = 3
"""Fixes that are checked however large the file is."""

Check = Callable[[str], list[Draft]]
_Seen = Counter[tuple[str, str]]
"""How often the same error is reported of the same code, wherever that stands."""


class FixChoice:
    """Decides about the fixes of one text."""

    def __init__(self, text: str, drafts: Iterable[Draft], check: Check, work: int) -> None:
        self._text = text
        self._check = check
        self._before = _seen(text, drafts)
        self._work = max(work, 1)
        """What one more check takes."""
        self._left = max(_MOST_WORK, _AT_LEAST * self._work)

    def decide(self, draft: Draft) -> Finding:
        """The finding with the first fix that holds, if there is one.

        A remedy that cannot be written is still good advice; one that does not hold is none.
        """
        advised: Remedy | None = None
        for remedy in draft.remedies:
            changed = self._changed(draft.finding, remedy.fix)
            if changed is None:
                advised = advised or replace(remedy, fix=None)
            elif self._is_mended(draft.finding, changed):
                return draft.decided(remedy)
        return draft.decided(advised)

    def _changed(self, finding: Finding, fix: Fix | None) -> str | None:
        """The text with a fix; None if it cannot be written, or if too much was checked already."""
        if fix is None or self._left < self._work:
            return None
        applied = apply(self._text, [replace(finding, fix=fix)], unsafe=True)
        return applied.text if applied.count else None

    def _is_mended(self, finding: Finding, changed: str) -> bool:
        self._left -= self._work
        try:
            after = _seen(changed, self._check(changed))
        except SourceError:
            return False
        return after <= self._before - _keys(SourceLines(self._text), [finding])


def _seen(text: str, drafts: Iterable[Draft]) -> _Seen:
    return _keys(SourceLines(text), (draft.finding for draft in drafts))


def _keys(lines: SourceLines, findings: Iterable[Finding]) -> _Seen:
    """Findings by what a run would show and by the code there: lines shift when a text is changed.

    A stale step stays what it is when another rule reports it, since its zeroing was moved.
    """
    rules = all_rules()
    return Counter((rules[f.code].proof, " ".join(lines.text(f.span).split())) for f in findings)
