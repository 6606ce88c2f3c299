"""Fingerprints: an identifier for a finding that stays when other lines of its file change."""

from __future__ import annotations

import hashlib
from collections import Counter

from ..check.result import UNCHECKED, FileResult
from ..config.baseline import line_text
from .file_names import from_here


def of(result: FileResult) -> list[str]:
    """One for each finding: from file, code, the line's text, and its number among equal ones."""
    lines = result.lines()
    seen: Counter[tuple[str, str]] = Counter()
    prints = []
    for finding in result.findings:
        key = (finding.code, line_text(finding, lines))
        seen[key] += 1
        prints.append(_digest(from_here(result.path), *key, str(seen[key])))
    return prints


def of_problems(result: FileResult) -> list[str]:
    """One for each problem: from file and message, and its number among equal ones."""
    seen: Counter[str] = Counter()
    prints = []
    for problem in result.problems:
        seen[problem.message] += 1
        number = str(seen[problem.message])
        prints.append(_digest(from_here(result.path), UNCHECKED, problem.message, number))
    return prints


def _digest(*parts: str) -> str:
    """A hash of these texts."""
    joined = "\0".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(joined, digest_size=16).hexdigest()
