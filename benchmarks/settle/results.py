"""The verdicts on the broken copies of each script, kept in a file of one line per script."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

SETTLED = ("CONFIRMED", "REFUTED")
_VERDICTS = (*SETTLED, "NEGLIGIBLE", "NOT REACHED", "INCONCLUSIVE")


@dataclass(frozen=True, slots=True)
class Verified:
    """A finding in a broken copy, and what `verify` said of it."""

    operator: str
    line: int
    code: str
    verdict: str
    evidence: str


def scripts(file: Path) -> set[str]:
    """The scripts whose results are in the file."""
    return {each["script"] for each in _read(file)}


def add(file: Path, script: str, copies: int, verified: list[Verified]) -> None:
    """Add the results of one script."""
    row = {"script": script, "copies": copies, "verified": [asdict(each) for each in verified]}
    with file.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(row) + "\n")


def print_table(file: Path) -> None:
    """Print how many findings were settled, for each way of breaking a script."""
    rows = list(_read(file))
    table: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        for each in row["verified"]:
            table[each["operator"]][each["verdict"]] += 1
    table = dict(sorted(table.items(), key=lambda entry: -entry[1].total()))
    table["all"] = sum(table.values(), Counter())
    copies = sum(row["copies"] for row in rows)
    broken = sum(row["copies"] > 0 for row in rows)
    print(f"\n{copies} mutants of {broken} scripts, {table['all'].total()} findings")
    print("| bug | findings |", " | ".join(_VERDICTS), "| settled |")
    print("|---" * (len(_VERDICTS) + 3) + "|")
    for name, counts in table.items():
        share = sum(counts[each] for each in SETTLED) / max(1, counts.total())
        numbers = " | ".join(str(counts[each]) for each in _VERDICTS)
        print(f"| {name} | {counts.total()} | {numbers} | {share:.1%} |")


def _read(file: Path) -> Iterator[dict[str, Any]]:
    if file.exists():
        for line in file.read_text(encoding="utf-8").splitlines():
            yield json.loads(line)
