"""The linter as its users run it: the command, on files or a folder."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

NOT_CHECKED = "ZG000"
_WORST_EXPECTED_EXIT = 2


@dataclass(frozen=True, slots=True)
class Edit:
    """One replacement of a fix; lines count from 1, columns too."""

    start: tuple[int, int]
    end: tuple[int, int]
    content: str


@dataclass(frozen=True, slots=True)
class RelatedLine:
    """Another line that a finding names, in its own file or in another one."""

    file: str
    line: int
    last_line: int


@dataclass(frozen=True, slots=True)
class Reported:
    """One finding, as the command prints it."""

    file: str
    cell: int | None
    line: int
    last_line: int
    code: str
    message: str
    edits: tuple[Edit, ...] = ()
    related: tuple[RelatedLine, ...] = ()

    @property
    def place(self) -> str:
        return str(self.line) if self.cell is None else f"cell {self.cell}:{self.line}"


def check(folder: Path, *paths: str, all_rules: bool = False) -> list[Reported]:
    """What the command reports of these paths of a project, or of the whole of it."""
    words = ["check", "--isolated", "--no-cache", "--no-respect-gitignore", "--jobs", "1"]
    if all_rules:
        words += ["--select", "ALL"]
    done = subprocess.run(
        [sys.executable, "-m", "zerograd_lint", *words, "--output-format", "json", *(paths or ".")],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode > _WORST_EXPECTED_EXIT or not done.stdout.strip():
        raise RuntimeError(f"the linter failed on {folder}: {done.stderr.strip()}")
    return [_reported(row) for row in json.loads(done.stdout)]


def _reported(row: dict[str, Any]) -> Reported:
    fix = row["fix"] or {"edits": ()}
    return Reported(
        row["filename"],
        row["cell"],
        row["location"]["row"],
        row["end_location"]["row"],
        row["code"],
        row["message"],
        tuple(
            Edit(_place(edit["location"]), _place(edit["end_location"]), edit["content"])
            for edit in fix["edits"]
        ),
        tuple(
            RelatedLine(other["filename"], other["location"]["row"], other["end_location"]["row"])
            for other in row["related"]
        ),
    )


def _place(location: dict[str, int]) -> tuple[int, int]:
    return location["row"], location["column"]
