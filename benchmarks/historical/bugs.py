"""The table of historical bugs."""

from __future__ import annotations

import csv
import hashlib
from dataclasses import dataclass
from pathlib import Path

SEEN, UNSEEN, FRESH, LATE, LAST, NEWEST = "seen", "unseen", "fresh", "late", "last", "newest"
"""Two halves by hash, and four lists collected after the ones before had been looked at."""
TUNED = (SEEN, UNSEEN, FRESH, LATE, LAST, NEWEST)
"""The parts that have been used for tuning."""
LATER: tuple[str, ...] = ()
"""The parts that have not: each is for one look."""
_OPT_IN = "ZG9"
TABLE = Path(__file__).with_name("bugs.csv")


@dataclass(frozen=True, slots=True)
class Bug:
    """One bug that somebody made, and where."""

    repository: str
    commit: str
    file: str
    lines: tuple[int, ...]
    """The statement a finding should stand on, or several of them: a call and what it calls."""
    kind: str
    rules: tuple[str, ...]
    """Codes of which one should be reported."""
    fix: str
    """The commit that mended it; empty if nobody has."""
    link: str
    half: str
    """Seen or unseen, by hash; or the later list it is in."""

    @property
    def by_default(self) -> bool:
        """Whether a rule that is on by default is for it."""
        return any(not code.startswith(_OPT_IN) for code in self.rules)

    @property
    def place(self) -> str:
        return f"{self.repository}@{self.commit[:10]} {self.file}:{self.lines[0]}"


def load(table: Path = TABLE) -> list[Bug]:
    with table.open(encoding="utf-8", newline="") as stream:
        return [_bug(row) for row in csv.DictReader(stream)]


def half_of(repository: str, commit: str) -> str:
    """Which half a bug of the first list belongs to: a hash decides, so that nobody chooses."""
    digest = hashlib.sha256(f"{repository}:{commit}".encode()).hexdigest()
    return UNSEEN if int(digest, 16) % 2 else SEEN


def _bug(row: dict[str, str]) -> Bug:
    return Bug(
        row["repository"],
        row["commit"],
        row["file"],
        tuple(map(int, row["line"].split())),
        row["kind"],
        tuple(row["rules"].split()),
        row["fix"],
        row["link"],
        row["half"],
    )
