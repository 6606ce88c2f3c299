"""The fix of a finding as a diff, as a page shows it."""

from __future__ import annotations

import difflib

from ...finding import Finding
from ...fixing.apply import apply


def fix_diff(text: str, finding: Finding) -> list[str]:
    """The lines of a unified diff, without its two headings; empty where there is no fix."""
    fixed = apply(text, [finding], unsafe=True)
    if not fixed.count:
        return []
    lines = difflib.unified_diff(text.splitlines(), fixed.text.splitlines(), lineterm="", n=2)
    return list(lines)[2:]
