"""Lay the same mutants and originals before every tool and count."""

from __future__ import annotations

import hashlib
import tempfile
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from ..examine import Report, Sown
from ..mutate import OPERATORS
from .tools import PEERS, Alarms, PeerMissing

OURS = "zerograd-lint"
ORIGINALS = "none: alarms on unmodified files"
Places = tuple[tuple[int, int], ...]


@dataclass(slots=True)
class PeerRow:
    """One way of breaking code, and how many of its mutants each tool named."""

    what: str
    total: int
    hits: dict[str, int] = field(default_factory=dict)


def compare(reports: list[Report], cache: Path, cap: int) -> tuple[list[PeerRow], list[str]]:
    """Rows per operator and one for the originals; and why a tool is missing, if one is."""
    sample = _sample(reports, cap)
    untouched = [one for report in reports for one in report.originals]
    rows = [
        PeerRow(name, len(sample[name]), {OURS: sum(one.caught for one in sample[name])})
        for name in OPERATORS
    ]
    last = PeerRow(ORIGINALS, len(untouched), {OURS: sum(count for _, count in untouched)})
    missing: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pairs = {
            _key(one): (_write(one.mutant.text, folder), _write(one.original, folder))
            for chosen in sample.values()
            for one in chosen
        }
        originals = [_write(text, folder) for text, _ in untouched]
        for peer in PEERS:
            try:
                alarms = peer.ask(sorted(folder.glob("*.py")), cache)
            except PeerMissing as error:
                missing.append(str(error))
                continue
            for row in rows:
                row.hits[peer.name] = sum(
                    _named(alarms, pairs[_key(one)], one) for one in sample[row.what]
                )
            last.hits[peer.name] = sum(_count(alarms, path) for path in originals)
    return [*rows, last], missing


def _named(alarms: Alarms, paths: tuple[Path, Path], one: Sown) -> bool:
    """Whether breaking the function made the tool complain more than it did before."""
    mutant, original = paths
    before = _count(alarms, original, one.mutant.original_places)
    return _count(alarms, mutant, one.mutant.places) > before


def _count(alarms: Alarms, path: Path, places: Places = ((0, 10**9),)) -> int:
    return sum(
        name == path.name and any(first <= line <= last for first, last in places)
        for name, line in alarms
    )


def _sample(reports: list[Report], cap: int) -> dict[str, list[Sown]]:
    """The same few mutants per operator every time, spread over the packages by a hash."""
    chosen: dict[str, list[Sown]] = defaultdict(list)
    for report in reports:
        for one in report.sown:
            chosen[one.operator].append(one)
    return {name: sorted(chosen[name], key=_digest)[:cap] for name in OPERATORS}


def _key(one: Sown) -> tuple[str, str, str, int]:
    return one.operator, one.package, one.file, one.line


def _digest(one: Sown) -> str:
    return hashlib.sha256("|".join(map(str, _key(one))).encode()).hexdigest()


def _write(text: str, folder: Path) -> Path:
    path = folder / f"m{hashlib.sha256(text.encode()).hexdigest()[:24]}.py"
    path.write_text(text, "utf-8")
    return path
