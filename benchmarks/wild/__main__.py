"""`python -m benchmarks.wild`: download, lint, break, mend, compare; non-zero when it got worse."""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from . import precision, recall, tables
from .download import unpacked
from .examine import Report, examine
from .packages import CACHE_VARIABLE, SEEN, UNSEEN, Package, default_cache, load
from .peers import PEERS, compare
from .peers.compare import OURS

_LOWEST_PRECISION = 0.98
_MOST_FALSE_PER_2000 = 1.0
_LOWEST_RECALL, _LOWEST_OPERATOR_RECALL = 0.97, 0.90


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    chosen = _packages(options)
    reports = _examine(chosen, options)
    splits = [s for s in (SEEN, UNSEEN) if any(p.split == s for p, _ in chosen)]
    parts = [(split, [r for r in reports if r.package.split == split]) for split in splits]
    judged, known = precision.load(), recall.load()
    if options.update:
        precision.save(reports, judged)
        recall.save(reports, known)
        judged, known = precision.load(), recall.load()
    precisions = [(name, precision.judge(part, judged)) for name, part in parts]
    recalls = [(name, recall.per_operator(part)) for name, part in parts]
    print(tables.corpus(parts), tables.precision(precisions), tables.recall(recalls), sep="\n\n")
    if options.peers:
        rows, missing = compare(reports, options.cache, options.peer_cap)
        names = [OURS, *(peer.name for peer in PEERS)]
        print("", tables.peers(names, rows), *missing, sep="\n")
    worse = [*_worse_precision(precisions), *_worse_recall(reports, recalls, known)]
    print("", *worse, sep="\n")
    return 1 if worse else 0


def _worse_precision(parts: list[tuple[str, precision.Precision]]) -> list[str]:
    lines = []
    for name, part in parts:
        for finding in part.unjudged:
            where = f"{finding.package}/{finding.file}:{finding.line}"
            lines.append(f"new finding, not judged: {where}: {finding.code} {finding.message}")
        lines += [f"vanished: {row[0]}/{row[1]}:{row[2]}: {row[3]}" for row in part.vanished]
        if part.share < _LOWEST_PRECISION or part.false_per_2000 > _MOST_FALSE_PER_2000:
            lines.append(f"precision on the {name} packages is below what it must reach")
    return lines


def _worse_recall(
    reports: list[Report],
    parts: list[tuple[str, list[recall.Recall]]],
    known: dict[recall.Key, str],
) -> list[str]:
    lines = [line for report in reports for line in report.broken]
    for one in recall.missed(reports):
        if known.get(recall.key(one), recall.UNEXPLAINED) == recall.UNEXPLAINED:
            lines.append(f"missed: {one.operator}: {one.package}/{one.file}:{one.line}")
    for one in recall.wrong_fixes(reports):
        where = f"{one.package}/{one.file}:{one.line}"
        lines.append(f"wrong fix: {one.operator}: {where}: {one.mending.wrong}")
    for name, rows in parts:
        if rows[-1].share < _LOWEST_RECALL:
            lines.append(f"recall on the {name} packages is below {_LOWEST_RECALL}")
    # One operator has a handful of mutants in one part: a share of those says nothing.
    for row in recall.per_operator(reports):
        if row.share < _LOWEST_OPERATOR_RECALL:
            lines.append(f"recall of '{row.operator}' is below {_LOWEST_OPERATOR_RECALL}")
    return lines


def _examine(chosen: list[tuple[Package, Path]], options: argparse.Namespace) -> list[Report]:
    packages = [package for package, _ in chosen]
    folders = [folder for _, folder in chosen]
    with ProcessPoolExecutor(options.jobs) as pool:
        each = partial(examine, cap=options.cap, project=options.project)
        return list(pool.map(each, packages, folders))


def _packages(options: argparse.Namespace) -> list[tuple[Package, Path]]:
    if options.folder:
        return [
            (Package(path.name, "", "", "", SEEN), path)
            for path in sorted(options.folder.iterdir())
            if path.is_dir()
        ]
    wanted = [
        package
        for package in load()
        if options.split in (None, package.split)
        and (not options.only or package.name in options.only)
    ]
    return [(package, unpacked(package, options.cache)) for package in wanted]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.wild", description=__doc__)
    add = parser.add_argument
    add("--cache", type=Path, default=default_cache(), help=f"or the variable {CACHE_VARIABLE}")
    add("--split", choices=(SEEN, UNSEEN), help="only the packages seen, or not seen, while tuning")
    add("--only", nargs="+", metavar="NAME", help="only these packages")
    add("--folder", type=Path, help="examine the subfolders of this folder instead")
    add("--cap", type=int, default=10, help="mutants per operator and package")
    add("--no-project", dest="project", action="store_false", help="lint each file by itself")
    add("--jobs", "-j", type=int, default=None, help="processes")
    add("--peers", action="store_true", help="ask the other tools too")
    add("--peer-cap", type=int, default=20, help="mutants per operator that they see")
    add(
        "--update", action="store_true", help="write the tables anew; verdicts and reasons are kept"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
