"""The baseline: a file of known findings, so that an old repository reports only new ones.

A known finding is its file, its code and the text of its line, so it stays known when lines
move and becomes new when the line is edited. The file is readable, sorted JSON for review.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable

from ..finding import Finding
from .errors import ConfigError

_VERSION = 1
Known = Counter[tuple[str, str]]
"""How often a code is known on a line of this text."""


class Baseline:
    """The known findings of a project; paths are relative to the baseline's own folder."""

    def __init__(self, file: str) -> None:
        self._folder = os.path.dirname(os.path.abspath(file))
        self._known: dict[str, Known] = {}
        try:
            with open(file, encoding="utf-8") as stream:
                content = json.load(stream)
            if content["version"] != _VERSION:
                raise ValueError(f"version {content['version']} is not known")
            for path, entries in content["findings"].items():
                self._known[path] = Counter((entry["code"], entry["line"]) for entry in entries)
        except OSError as error:
            raise ConfigError(f"cannot read baseline {file}: {error.strerror}") from None
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ConfigError(f"{file} is not a baseline: {error}") from None

    def known_in(self, path: str) -> Known:
        """The known findings of one file."""
        return self._known.get(_key(path, self._folder), Counter())


def new_only(findings: list[Finding], text: str, known: Known) -> list[Finding]:
    """The findings that are not in the baseline, which accounts for each as often as it says."""
    if not known:
        return findings
    left = known.copy()
    lines = text.split("\n")
    kept = []
    for finding in findings:
        entry = (finding.code, line_text(finding, lines))
        if left[entry] > 0:
            left[entry] -= 1
        else:
            kept.append(finding)
    return kept


def line_text(finding: Finding, lines: list[str]) -> str:
    """What identifies a finding when its line number does not: the line itself, spaces evened."""
    return " ".join(lines[finding.line - 1].split()) if finding.line <= len(lines) else ""


def write(file: str, found: Iterable[tuple[str, str, list[Finding]]]) -> int:
    """Write a baseline of findings, given as path, text and findings; how many there are."""
    folder = os.path.dirname(os.path.abspath(file))
    known: dict[str, list[dict[str, str]]] = {}
    for path, text, findings in found:
        if findings:
            lines = text.split("\n")
            entries = [{"code": f.code, "line": line_text(f, lines)} for f in findings]
            entries.sort(key=lambda entry: (entry["code"], entry["line"]))
            known[_key(path, folder)] = entries
    content = {"version": _VERSION, "findings": dict(sorted(known.items()))}
    temporary = f"{file}.{os.getpid()}.tmp"
    with open(temporary, "w", encoding="utf-8") as stream:
        json.dump(content, stream, indent=2)
        stream.write("\n")
    os.replace(temporary, file)
    return sum(map(len, known.values()))


def _key(path: str, folder: str) -> str:
    return os.path.relpath(os.path.abspath(path), folder).replace(os.sep, "/")
