"""Fingerprints: an identifier for a finding that stays when other lines of its file change."""

from __future__ import annotations

import hashlib
from collections import Counter

from ..check.result import FileResult
from ..config.baseline import line_text


def of(result: FileResult) -> list[str]:
    """One for each finding: from file, code, the line's text, and its number among equal ones."""
    lines = result.lines()
    seen: Counter[tuple[str, str]] = Counter()
    prints = []
    for finding in result.findings:
        key = (finding.code, line_text(finding, lines))
        seen[key] += 1
        prints.append(digest(result.path, *key, str(seen[key])))
    return prints


def digest(*parts: str) -> str:
    """A hash of these texts."""
    joined = "\0".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(joined, digest_size=16).hexdigest()
