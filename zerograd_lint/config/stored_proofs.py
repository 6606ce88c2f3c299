"""Stored proofs: the verdicts of `verify` by file, kept in the cache folder for editors to show."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from ..finding import Finding

_MOST_PROOFS = 500


@dataclass(frozen=True, slots=True)
class StoredVerdict:
    """What running the program showed about one finding."""

    code: str
    line: int
    column: int
    statement: str
    """The finding's line as it stood there, to know it again where lines have moved."""
    verdict: str
    evidence: str


@dataclass(frozen=True, slots=True)
class StoredProof:
    """All verdicts on one file, and the page that shows them."""

    text_digest: str
    verdicts: tuple[StoredVerdict, ...]
    page: Path

    def verdict_on(self, finding: Finding, text: str) -> tuple[StoredVerdict, bool] | None:
        """The verdict on a finding in a text, and whether it was reached on this very text."""
        if digest(text) == self.text_digest:
            place = (finding.code, finding.line, finding.column)
            here = [v for v in self.verdicts if (v.code, v.line, v.column) == place]
            return (here[0], True) if here else None
        statement = statement_at(finding.line, text)
        alike = [v for v in self.verdicts if (v.code, v.statement) == (finding.code, statement)]
        return (alike[0], False) if len(alike) == 1 else None


def digest(text: str) -> str:
    """Names a text; line ends make no difference."""
    data = text.replace("\r\n", "\n").encode("utf-8", "surrogatepass")
    return hashlib.blake2b(data, digest_size=20).hexdigest()


def statement_at(line: int, text: str) -> str:
    """A line of a text without the space around it."""
    lines = text.split("\n")
    return lines[line - 1].strip() if line <= len(lines) else ""


def store(folder: str, path: str, text: str, verdicts: Sequence[StoredVerdict], page: str) -> None:
    """Keep a file's verdicts and their page; where that cannot be done, nothing happens."""
    entry = _entry(folder, path)
    packed = {"text": digest(text), "verdicts": [asdict(verdict) for verdict in verdicts]}
    with contextlib.suppress(OSError):
        entry.parent.mkdir(parents=True, exist_ok=True)
        _trim(entry.parent)
        entry.with_suffix(".html").write_text(page, encoding="utf-8")
        entry.write_text(json.dumps(packed), encoding="utf-8")


def load(folder: str, path: str) -> StoredProof | None:
    """The proof stored for a file; None if there is none, or if it cannot be read."""
    entry = _entry(folder, path)
    try:
        packed = json.loads(entry.read_text(encoding="utf-8"))
        verdicts = tuple(StoredVerdict(**verdict) for verdict in packed["verdicts"])
        return StoredProof(str(packed["text"]), verdicts, entry.with_suffix(".html"))
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _entry(folder: str, path: str) -> Path:
    """The file that holds a proof; its page, which people see, is named after the program."""
    program = Path(path).resolve()
    name = hashlib.blake2b(str(program).encode(errors="replace"), digest_size=8).hexdigest()
    return Path(folder, "proofs", name, f"{program.stem}.json")


def _trim(folder: Path) -> None:
    """Keep the folder from growing for ever: past a limit the oldest proofs go."""
    entries = sorted(folder.parent.iterdir(), key=lambda entry: entry.stat().st_mtime)
    for old in entries[:-_MOST_PROOFS]:
        for file in old.iterdir():
            file.unlink()
        old.rmdir()
