"""How many seeded bugs were named, per operator, and the misses with their reasons."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

from .examine import Report, Sown
from .mutate import OPERATORS

TABLE = Path(__file__).with_name("missed.csv")
UNEXPLAINED = "?"
_COLUMNS = ("operator", "package", "file", "line", "reason")
Key = tuple[str, str, str, int]


@dataclass(frozen=True, slots=True)
class Recall:
    """One row of the table: a way of breaking code, and how often that was seen and mended."""

    operator: str
    total: int
    caught: int
    fixes: int
    right_fixes: int

    @property
    def share(self) -> float:
        return self.caught / self.total if self.total else 1.0


def per_operator(reports: list[Report]) -> list[Recall]:
    """A row for every operator, and one for all of them."""
    sown = [one for report in reports for one in report.sown]
    rows = [_row(name, [one for one in sown if one.operator == name]) for name in OPERATORS]
    return [*rows, _row("all", sown)]


def _row(name: str, sown: list[Sown]) -> Recall:
    offered = [one.mending for one in sown if one.mending.offered]
    return Recall(
        name,
        total=len(sown),
        caught=sum(one.caught for one in sown),
        fixes=len(offered),
        right_fixes=sum(not mending.wrong for mending in offered),
    )


def missed(reports: list[Report]) -> list[Sown]:
    return [one for report in reports for one in report.sown if not one.caught]


def wrong_fixes(reports: list[Report]) -> list[Sown]:
    return [one for report in reports for one in report.sown if one.mending.wrong]


def load(table: Path = TABLE) -> dict[Key, str]:
    """The misses that are known, and why each is one."""
    if not table.exists():
        return {}
    with table.open(encoding="utf-8", newline="") as stream:
        return {
            (row["operator"], row["package"], row["file"], int(row["line"])): row["reason"]
            for row in csv.DictReader(stream)
        }


def save(reports: list[Report], known: dict[Key, str], path: Path = TABLE) -> None:
    """Write the table anew: known reasons are kept, new misses wait for theirs."""
    examined = {report.package.name for report in reports}
    kept = {key: reason for key, reason in known.items() if key[1] not in examined}
    kept |= {key(one): known.get(key(one), UNEXPLAINED) for one in missed(reports)}
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(_COLUMNS)
        for row in sorted(kept):
            writer.writerow((*row, kept[row]))


def key(one: Sown) -> Key:
    return one.operator, one.package, one.file, one.line
