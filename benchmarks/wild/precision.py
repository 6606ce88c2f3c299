"""Every finding on unmodified published code, judged by reading: true or false, and why."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

from .examine import Report, Said

TABLE = Path(__file__).with_name("judged.csv")
TRUE, FALSE, UNJUDGED = "true", "false", "?"
_COLUMNS = ("package", "file", "line", "code", "verdict", "reason")
Key = tuple[str, str, int, str]


@dataclass(frozen=True, slots=True)
class Judged:
    verdict: str
    reason: str


@dataclass(frozen=True, slots=True)
class Precision:
    """The judged findings of some packages, and what no longer agrees with the table."""

    true: int
    false: int
    unjudged: tuple[Said, ...]
    vanished: tuple[Key, ...]
    training_files: int

    @property
    def share(self) -> float:
        judged = self.true + self.false
        return self.true / judged if judged else 1.0

    @property
    def false_per_2000(self) -> float:
        return 2000 * self.false / self.training_files if self.training_files else 0.0


def load(table: Path = TABLE) -> dict[Key, Judged]:
    if not table.exists():
        return {}
    with table.open(encoding="utf-8", newline="") as stream:
        return {
            (row["package"], row["file"], int(row["line"]), row["code"]): Judged(
                row["verdict"], row["reason"]
            )
            for row in csv.DictReader(stream)
        }


def judge(reports: list[Report], table: dict[Key, Judged]) -> Precision:
    """Compare what was said with what was judged, for the packages that were examined."""
    said = {_key(finding): finding for report in reports for finding in report.said}
    verdicts = {key: table[key].verdict for key in said if key in table}
    examined = {report.package.name for report in reports}
    return Precision(
        true=sum(verdict == TRUE for verdict in verdicts.values()),
        false=sum(verdict == FALSE for verdict in verdicts.values()),
        unjudged=tuple(f for k, f in said.items() if verdicts.get(k, UNJUDGED) == UNJUDGED),
        vanished=tuple(key for key in table if key[0] in examined and key not in said),
        training_files=sum(report.counts.training for report in reports),
    )


def save(reports: list[Report], table: dict[Key, Judged], path: Path = TABLE) -> None:
    """Write the table anew: known verdicts are kept, new findings wait for theirs."""
    examined = {report.package.name for report in reports}
    kept = {key: judged for key, judged in table.items() if key[0] not in examined}
    for report in reports:
        for finding in report.said:
            key = _key(finding)
            kept[key] = table.get(key, Judged(UNJUDGED, finding.message))
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(_COLUMNS)
        for key in sorted(kept):
            writer.writerow((*key, kept[key].verdict, kept[key].reason))


def _key(finding: Said) -> Key:
    return finding.package, finding.file, finding.line, finding.code
