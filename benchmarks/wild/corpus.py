"""The files to lint: every Python file and notebook of a package that can train something."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from zerograd_lint import Finding, SourceError
from zerograd_lint.check.document import open_document
from zerograd_lint.check.gate import can_train
from zerograd_lint.config.settings import DEFAULT
from zerograd_lint.files.kinds import NOTEBOOK, kind_of

from ..clones import KEPT
from .packages import Package


@dataclass(frozen=True, slots=True)
class Source:
    """One file, as the linter sees it: a notebook is its code cells joined."""

    package: str
    path: str
    place: str
    """Where the file lies, so that what it imports from its project can be read; empty if it is not
    to be."""
    text: str
    is_notebook: bool
    whole: bool
    """Whether every cell could be read: an unreadable one may make or clear anything."""


@dataclass(slots=True)
class Counts:
    files: int = 0
    training: int = 0
    unreadable: int = 0


def sources(
    package: Package, folder: Path, counts: Counts, *, project: bool = True
) -> Iterator[Source]:
    """Every file that passes the gate, by itself or in its project; the rest is only counted."""
    for path in sorted(folder.rglob("*")):
        if path.suffix not in KEPT or not path.is_file():
            continue
        counts.files += 1
        is_notebook = kind_of(path.name) == NOTEBOOK
        try:
            data = path.read_bytes()
            document = open_document(kind_of(path.name), data, str(path), DEFAULT)
        except SourceError:
            counts.unreadable += 1
            continue
        if can_train(document.text):
            counts.training += 1
            relative = path.relative_to(folder).as_posix()
            whole = not document.problems
            place = str(path) if project else ""
            yield Source(package.name, relative, place, document.text, is_notebook, whole)


def lint(text: str, path: str) -> list[Finding]:
    """What the default rules say of a file with its project; unparseable text has no findings."""
    from zerograd_lint import check_source

    try:
        return check_source(text, path, settings=DEFAULT)
    except SourceError:
        return []
