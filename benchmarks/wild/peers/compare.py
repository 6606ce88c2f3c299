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


@dataclass(slots=True)
class PeerRow:
    """One way of breaking code (or none), and how many places each tool complained about."""

    what: str
    total: int
    hits: dict[str, int] = field(default_factory=dict)


def compare(reports: list[Report], cache: Path, cap: int) -> tuple[list[PeerRow], list[str]]:
    """Rows per operator and one for the originals; and why a tool is missing, if one is."""
    sample = _sample(reports, cap)
    rows = [PeerRow(name, len(sample[name]), {OURS: _ours(sample[name])}) for name in OPERATORS]
    everything = [one for name in OPERATORS for one in sample[name]]
    rows.append(PeerRow("none (false alarms at the same places)", len(everything), {OURS: 0}))
    missing: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        mutants = _write(everything, Path(folder), broken=True)
        originals = _write(everything, Path(folder), broken=False)
        pairs = zip(mutants, originals, strict=True)
        paths = dict(zip(map(id, everything), pairs, strict=True))
        for peer in PEERS:
            try:
                alarms = peer.ask(sorted({*mutants, *originals}), cache)
            except PeerMissing as error:
                missing.append(str(error))
                continue
            for row in rows[:-1]:
                row.hits[peer.name] = sum(
                    _named(alarms, paths[id(one)][0], one.mutant.places) for one in sample[row.what]
                )
            rows[-1].hits[peer.name] = sum(
                _named(alarms, paths[id(one)][1], one.mutant.original_places) for one in everything
            )
    return rows, missing


def _sample(reports: list[Report], cap: int) -> dict[str, list[Sown]]:
    """The same few mutants per operator every time, spread over the packages by a hash."""
    chosen: dict[str, list[Sown]] = defaultdict(list)
    for report in reports:
        for one in report.sown:
            chosen[one.operator].append(one)
    return {name: sorted(chosen[name], key=_digest)[:cap] for name in OPERATORS}


def _digest(one: Sown) -> str:
    identity = f"{one.operator}|{one.package}|{one.file}|{one.line}"
    return hashlib.sha256(identity.encode()).hexdigest()


def _ours(sample: list[Sown]) -> int:
    return sum(one.caught for one in sample)


def _write(sample: list[Sown], folder: Path, *, broken: bool) -> list[Path]:
    paths = []
    for one in sample:
        text = one.mutant.text if broken else one.original
        name = "m" + hashlib.sha256(text.encode()).hexdigest()[:24] + ".py"
        (folder / name).write_text(text, "utf-8")
        paths.append(folder / name)
    return paths


def _named(alarms: Alarms, path: Path, places: tuple[tuple[int, int], ...]) -> bool:
    return any(
        name == path.name and any(first <= line <= last for first, last in places)
        for name, line in alarms
    )
