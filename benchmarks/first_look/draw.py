"""`python -m benchmarks.first_look.draw GROUP`: draw a group before anybody looks at it.

With `--repos`, the repositories named in `names/GROUP.txt`, as far as they are in that folder; with
`--folder`, packages of the index, unpacked there. What was used before is left out, what trains
nothing, and copies of the projects in folders given with `--read`; the rest is taken in the order
of a hash of group and name, until enough files train.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path

from .candidate_packages import packages
from .candidate_repositories import repositories
from .count import training_contents
from .groups import used_projects, write_group

ENOUGH_TRAINING_FILES = 850


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    lines: list[str] = []
    contents: set[str] = set()
    read = set().union(*(training_contents(folder.name, folder) for folder in options.read))
    for line, trains in _candidates(options):
        new = trains - contents
        # A fork under another name would show the same code twice, or code that was read.
        if len(new - read) * 2 <= len(trains):
            continue
        lines.append(line)
        contents |= new
        print(f"{len(lines)} projects, {len(contents)} training files: {line}")
        if len(contents) >= ENOUGH_TRAINING_FILES:
            break
    print(write_group(options.group, lines))
    return 0


def _candidates(options: argparse.Namespace) -> Iterator[tuple[str, set[str]]]:
    """The lines of projects that may be drawn, each with the hashes of its training files."""
    used = used_projects()

    def order(names: set[str]) -> list[str]:
        return sorted(names - used, key=lambda name: _hash(f"{options.group}:{name}"))

    if options.repos is not None:
        yield from repositories(options.group, options.repos, order)
    if options.folder is not None:
        yield from packages(options.folder, order)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.first_look.draw")
    parser.add_argument("group")
    parser.add_argument("--repos", type=Path, help="a folder of clones")
    parser.add_argument("--folder", type=Path, help="where packages are unpacked")
    parser.add_argument("--read", type=Path, nargs="*", default=(), help="copies are passed over")
    return parser


if __name__ == "__main__":
    sys.exit(main())
