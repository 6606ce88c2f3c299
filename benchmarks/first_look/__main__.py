"""`python -m benchmarks.first_look GROUP --folder F`: look at a group for the first time.

Brings its projects below F/GROUP, lints them with default rules and writes what is found to
`looks/GROUP.csv`, for each finding to be judged by reading. Without a group it prints all looks.
"""

from __future__ import annotations

import argparse
import datetime
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from ..clones import CloneError
from ..command import NOT_CHECKED, Reported, check
from ..wild.corpus import Counts, sources
from ..wild.packages import UNSEEN, Package
from . import groups, looks
from .checkout import checked_out


@dataclass(frozen=True, slots=True)
class Linted:
    """One project, and what the linter says of it."""

    name: str
    counts: Counts
    reported: list[Reported]


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    if options.group is None:
        print(looks.table())
        return 0
    folders = _bring(options.group, options.folder / options.group, options.repos)
    if options.only_bring:
        return 0
    with ThreadPoolExecutor(options.jobs) as pool:
        linted = list(pool.map(_lint, folders, folders.values()))
    found = [
        looks.Judged(project.name, one.file, one.place, one.code, one.message)
        for project in linted
        for one in project.reported
        if one.code != NOT_CHECKED
    ]
    not_checked = sum(len(project.reported) for project in linted) - len(found)
    look = looks.Look(
        datetime.datetime.now(datetime.UTC).date().isoformat(),
        _commit(),
        options.group,
        len(linted),
        sum(project.counts.files for project in linted),
        sum(project.counts.training for project in linted),
        not_checked,
    )
    looks.record(look, found)
    print(look, f"{len(found)} findings to judge in looks/{options.group}.csv", sep="\n")
    return 0


def _bring(group: str, folder: Path, repositories: Path | None) -> dict[str, Path]:
    """The folders of the projects by name; what cannot be had is said and left out."""
    folders = {}
    for project in groups.load(group):
        try:
            folders[project.name] = checked_out(project, folder, repositories)
        except (OSError, ValueError, CloneError) as error:
            print(f"skipped: {project.name}: {error}", file=sys.stderr)
    return folders


def _lint(name: str, folder: Path) -> Linted:
    counts = Counts()
    for _ in sources(Package(name, "", "", "", UNSEEN), folder, counts):
        pass
    return Linted(name, counts, check(folder))


def _commit() -> str:
    asked = ("git", "describe", "--always", "--dirty=+", "--exclude=*", "--abbrev=10")
    here = Path(__file__).parent
    return subprocess.check_output(asked, cwd=here, text=True).strip()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.first_look", description=__doc__)
    add = parser.add_argument
    add("group", nargs="?", choices=groups.group_names(), metavar="GROUP")
    add("--folder", type=Path, default=Path("first_look"), help="where projects are kept")
    add("--repos", type=Path, help="a folder of clones; missing ones are cloned into it")
    add("--jobs", "-j", type=int, default=2, help="projects at once")
    add("--only-bring", action="store_true", help="bring the projects and do not look at them")
    return parser


if __name__ == "__main__":
    sys.exit(main())
