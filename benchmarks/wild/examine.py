"""One package, start to end: lint it as it is, break it, lint again, mend."""

from __future__ import annotations

import ast
import hashlib
import re
import warnings
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from zerograd_lint import Finding

from .corpus import Counts, Source, lint, sources
from .fixing import Mending, mend
from .hidden import TrainingFile
from .mutate import OPERATORS, Mutant
from .packages import Package
from .training import scopes


@dataclass(frozen=True, slots=True, order=True)
class Said:
    """A finding on an unmodified file."""

    package: str
    file: str
    line: int
    code: str
    message: str = ""


@dataclass(frozen=True, slots=True)
class Sown:
    """A seeded bug, and whether the linter named it."""

    operator: str
    package: str
    file: str
    line: int
    caught: bool
    mending: Mending
    original: str
    mutant: Mutant


@dataclass(slots=True)
class Report:
    package: Package
    counts: Counts
    said: list[Said] = field(default_factory=list)
    sown: list[Sown] = field(default_factory=list)
    dirty: int = 0
    """Mutants not counted, since the original had a finding at that place already."""
    broken: list[str] = field(default_factory=list)
    """Files on which the linter itself failed."""
    originals: list[tuple[str, int]] = field(default_factory=list)
    """A few unmodified files that train, with the number of findings in each, for the peers."""


_ORIGINALS = 5
# A fragment that imports nothing does not say whose `backward` it calls.
_IMPORTS_TORCH = re.compile(
    r"^[ \t]*(?:from|import)\b[^#\n]*(?:torch|lightning|accelerate|fastai)", re.MULTILINE
)


def examine(package: Package, folder: Path, cap: int, project: bool = True) -> Report:
    """Everything this benchmark measures on one package, with at most `cap` mutants an operator."""
    warnings.simplefilter("ignore", SyntaxWarning)
    report = Report(package, Counts())
    candidates: dict[str, list[tuple[str, Source, Mutant]]] = defaultdict(list)
    findings: dict[str, list[Finding]] = {}
    for source in sources(package, folder, report.counts, project=project):
        try:
            findings[source.path] = lint(source.text, source.place)
        except Exception as error:
            report.broken.append(f"{package.name}/{source.path}: {type(error).__name__}: {error}")
            continue
        if not source.is_notebook:
            report.originals.append((source.text, len(findings[source.path])))
        report.said += [
            Said(package.name, source.path, found.line, found.code, found.message)
            for found in findings[source.path]
        ]
        for operator, mutant in _mutants(source):
            identity = f"{operator}|{package.name}|{source.path}|{mutant.line}"
            candidates[operator].append((_digest(identity), source, mutant))
    report.originals = sorted(report.originals, key=lambda one: _digest(one[0]))[:_ORIGINALS]
    for operator, found in candidates.items():
        sample = sorted(found, key=lambda row: row[0])
        report.sown += _sow(operator, sample, findings, report, cap)
    return report


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _mutants(source: Source) -> list[tuple[str, Mutant]]:
    if not source.whole or not _IMPORTS_TORCH.search(source.text):
        return []
    try:
        tree = ast.parse(source.text)
    except (SyntaxError, ValueError):
        return []
    file = TrainingFile(source.text, tree, scopes(tree))
    return [(name, mutant) for name, operator in OPERATORS.items() for mutant in operator(file)]


def _sow(
    operator: str,
    sample: list[tuple[str, Source, Mutant]],
    findings: dict[str, list[Finding]],
    report: Report,
    cap: int,
) -> list[Sown]:
    sown: list[Sown] = []
    for _, source, mutant in sample:
        if len(sown) == cap:
            break
        if any(_within(found, mutant.original_places) for found in findings[source.path]):
            report.dirty += 1
            continue
        try:
            said = lint(mutant.text, source.place)
        except Exception as error:
            report.broken.append(f"mutant of {source.package}/{source.path}: {error}")
            continue
        named = [f for f in said if f.code in mutant.codes and _within(f, mutant.places)]
        mending = mend(mutant, named, source.place)
        row = (operator, source.package, source.path, mutant.line)
        sown.append(Sown(*row, bool(named), mending, source.text, mutant))
    return sown


def _within(finding: Finding, places: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= finding.line <= last for first, last in places)
