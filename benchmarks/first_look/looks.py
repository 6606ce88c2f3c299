"""The tables of first looks: one row per look, and every finding of it with its verdict."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from pathlib import Path

FOLDER = Path(__file__).with_name("looks")
VERDICTS = TRUE, ARGUABLE, FALSE, UNJUDGED = "true", "arguable", "false", "?"


@dataclass(frozen=True, slots=True)
class Look:
    """One group, linted once."""

    date: str
    linter: str
    """The commit, with a plus sign where the work tree had changes."""
    group: str
    projects: int
    files: int
    training_files: int
    not_checked: int
    """Files that cannot be parsed, or on which the linter failed."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A finding, and what reading the code says of it."""

    project: str
    file: str
    place: str
    code: str
    message: str
    verdict: str = UNJUDGED
    reason: str = ""


def looks(folder: Path = FOLDER) -> list[Look]:
    return [_look(row) for row in _rows(folder / "looks.csv")]


def findings(group: str, folder: Path = FOLDER) -> list[Judged]:
    return [Judged(**row) for row in _rows(folder / f"{group}.csv")]


def record(look: Look, found: list[Judged], folder: Path = FOLDER) -> None:
    """Write down a look and what it found, to be judged by reading."""
    earlier = looks(folder)
    if any(look.group == other.group for other in earlier):
        raise ValueError(f"{look.group} has been looked at; only the first look counts")
    folder.mkdir(exist_ok=True)
    _write(folder / f"{look.group}.csv", Judged, found)
    _write(folder / "looks.csv", Look, [*earlier, look])


def table(folder: Path = FOLDER) -> str:
    """All first looks, as Markdown."""
    head = ("date", "linter", "group", "projects", "training files", "findings", *VERDICTS)
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    for look in looks(folder):
        verdicts = Counter(finding.verdict for finding in findings(look.group, folder))
        cells = (look.date, look.linter, look.group, look.projects, look.training_files)
        counts = (verdicts.total(), *(verdicts[verdict] for verdict in VERDICTS))
        lines.append("| " + " | ".join(map(str, (*cells, *counts))) + " |")
    return "\n".join(lines)


def _look(row: dict[str, str]) -> Look:
    return Look(
        row["date"],
        row["linter"],
        row["group"],
        int(row["projects"]),
        int(row["files"]),
        int(row["training_files"]),
        int(row["not_checked"]),
    )


def _rows(path: Path) -> list[dict[str, str]]:
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def _write(path: Path, kind: type[Look] | type[Judged], rows: Iterable[Look | Judged]) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        names = [field.name for field in fields(kind)]
        writer = csv.DictWriter(stream, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(asdict(row) for row in rows)
