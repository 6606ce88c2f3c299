"""`python -m benchmarks.first_look.draw_repositories GROUP --repos R`: draw from a list of names.

The candidates stand in `names/GROUP.txt`, written down before anything was fetched. They are taken
in the order of a hash of group and name, each at its newest commit, until enough files train. What
was used before is left out, and so is what cannot be had.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
from pathlib import Path

from .. import clones
from .count import training_contents
from .draw_packages import ENOUGH_TRAINING_FILES
from .groups import used_projects, write_group

NAMES = Path(__file__).with_name("names")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.first_look.draw_repositories")
    parser.add_argument("group")
    parser.add_argument("--repos", type=Path, required=True, help="a folder of clones")
    options = parser.parse_args(arguments)
    lines: list[str] = []
    contents: set[str] = set()
    for name in candidates(options.group):
        git = clones.find(name, options.repos)
        if git is None:
            print(f"left out, no clone: {name}")
            continue
        commit = clones.head(git)
        trains = _training_contents(name, git, commit)
        new = trains - contents
        # A fork under another name would show the same code twice.
        if len(new) * 2 > len(trains):
            lines.append(f"{name} {commit}")
            contents |= new
            print(f"{len(lines)} repositories, {len(contents)} training files: {name}")
        if len(contents) >= ENOUGH_TRAINING_FILES:
            break
    print(write_group(options.group, lines))
    return 0


def candidates(group: str) -> list[str]:
    """The names to draw from, in the order of the draw."""
    names = set((NAMES / f"{group}.txt").read_text("utf-8").split()) - used_projects()
    return sorted(names, key=lambda name: hashlib.sha256(f"{group}:{name}".encode()).hexdigest())


def _training_contents(name: str, git: Path, commit: str) -> set[str]:
    with tempfile.TemporaryDirectory() as folder:
        clones.export(git, commit, Path(folder))
        return training_contents(name, Path(folder))


if __name__ == "__main__":
    sys.exit(main())
