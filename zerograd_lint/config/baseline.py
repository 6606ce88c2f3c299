"""The baseline: a file of known findings, so that an old repository reports only new ones.

A known finding is its file, its code and the text of its line, so it stays known when lines
move and becomes new when the line is edited. A file that was renamed is recognised by its lines.
The baseline is readable, sorted JSON for review.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping

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
        self._renamed: dict[str, str] = {}
        """Old names by the new ones, once they have been looked for."""
        try:
            with open(file, encoding="utf-8") as stream:
                content = json.load(stream)
            if content["version"] != _VERSION:
                raise ConfigError(f"{file} is a baseline of another version: write it again")
            for path, entries in content["findings"].items():
                self._known[path] = Counter((entry["code"], entry["line"]) for entry in entries)
        except OSError as error:
            raise ConfigError(f"cannot read baseline {file}: {error.strerror}") from None
        except (ValueError, KeyError, TypeError, AttributeError):
            hint = "write one with --write-baseline"
            raise ConfigError(f"{file} is not a baseline: {hint}") from None

    def known_in(self, path: str) -> Known:
        """The known findings of one file, under its name or under the one it had."""
        key = _key(path, self._folder)
        return self._known.get(self._renamed.get(key, key), Counter())

    def follow_renames(self, files: Iterable[tuple[str, bytes]]) -> None:
        """Recognise files that have been renamed, among these with their content.

        A file that is gone lives on in the one new file that holds all of its known lines; if
        several do, in the one that has kept its name.
        """
        gone = [key for key in self._known if not os.path.exists(os.path.join(self._folder, key))]
        if not gone:
            return
        new = {
            key: _evened(data)
            for path, data in files
            if (key := _key(path, self._folder)) not in self._known
        }
        for old in gone:
            holders = [key for key, text in new.items() if self._stands_in(text, old)]
            same_name = [key for key in holders if _name(key) == _name(old)]
            for chosen in (same_name, holders):
                if len(chosen) == 1:
                    self._renamed[chosen[0]] = old
                    del new[chosen[0]]
                    break

    def _stands_in(self, text: str, old: str) -> bool:
        lines = [line for _, line in self._known[old]]
        return all(line in text or json.dumps(line)[1:-1] in text for line in lines)

    def gone_from(self, checked: Iterable[str], found: Mapping[str, Known]) -> list[str]:
        """What is no longer there in the files that were checked, and in those that are gone.

        `found` holds, by path, which known findings a file still has.
        """
        left = Counter(
            {
                (old, *entry): count
                for old, known in self._known.items()
                if old not in self._renamed.values()
                and not os.path.exists(os.path.join(self._folder, old))
                for entry, count in known.items()
            }
        )
        for path in checked:
            for entry, count in (self.known_in(path) - found.get(path, Counter())).items():
                left[path, *entry] = count
        return [f"{path}: {code} {line}" for path, code, line in left.elements()]


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


def still_there(findings: list[Finding], text: str, known: Known) -> Known:
    """The known findings that are among these."""
    lines = text.split("\n")
    return known & Counter((finding.code, line_text(finding, lines)) for finding in findings)


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
    if os.path.isdir(file):
        raise ConfigError(f"{file} is a folder; a baseline is a file: --write-baseline known.json")
    temporary = f"{file}.{os.getpid()}.tmp"
    with open(temporary, "w", encoding="utf-8") as stream:
        json.dump(content, stream, indent=2)
        stream.write("\n")
    os.replace(temporary, file)
    return sum(map(len, known.values()))


def _evened(data: bytes) -> str:
    return " ".join(data.decode("utf-8", "replace").split())


def _name(key: str) -> str:
    return key.rpartition("/")[2]


def _key(path: str, folder: str) -> str:
    return os.path.relpath(os.path.abspath(path), folder).replace(os.sep, "/")
