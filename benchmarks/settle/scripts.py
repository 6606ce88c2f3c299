"""The table of public scripts that train on a CPU without data from elsewhere, and their files."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

from .. import clones

TABLE = Path(__file__).with_name("scripts.csv")
_LARGEST_FILE = 3_000_000


@dataclass(frozen=True, slots=True)
class Script:
    """One training script, at one commit of its repository."""

    repository: str
    commit: str
    path: str

    @property
    def name(self) -> str:
        return f"{self.repository}/{self.path}"

    def export(self, clone_folder: Path, target: Path) -> Path:
        """Write the script and what lies beside and below it; where the script is then."""
        git = clones.find_or_clone(self.repository, clone_folder)
        beside = self.path.rpartition("/")[0]
        clones.export_folder(git, self.commit, beside, target, largest=_LARGEST_FILE)
        return target / self.path


def load(table: Path = TABLE) -> list[Script]:
    with table.open(encoding="utf-8", newline="") as stream:
        return [Script(**row) for row in csv.DictReader(stream)]
