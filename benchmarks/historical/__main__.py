"""`python -m benchmarks.historical --repos FOLDER`: which of the bugs people made are found?

Clones are read from the folder, bare or not, and cloned into it where they are missing and the
network allows. What cannot be had is skipped, and said.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .. import clones
from .bugs import LATER, TUNED, Bug, load
from .judge import EQUAL, MISSED, OTHER, Outcome, judge


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    wanted = [bug for bug in load() if bug.half in (options.half or TUNED)]
    with ThreadPoolExecutor(options.jobs) as pool:
        answers = list(pool.map(lambda bug: _judged(bug, options), wanted))
    skipped = [answer for answer in answers if isinstance(answer, str)]
    outcomes = [answer for answer in answers if not isinstance(answer, str)]
    print(*_lines(outcomes), "", *_tally(outcomes), *skipped, sep="\n")
    return 0 if outcomes else 1


def _judged(bug: Bug, options: argparse.Namespace) -> Outcome | str:
    try:
        git = clones.find_or_clone(bug.repository, options.repos)
        return judge(bug, git, all_rules=options.all_rules, callers=not options.no_callers)
    except (clones.CloneError, OSError, RuntimeError) as error:
        return f"skipped: {bug.place}: {str(error).splitlines()[0]}"


def _lines(outcomes: Iterable[Outcome]) -> Iterator[str]:
    yield "| bug | kind | expected | found | code | fix | by callers | other findings |"
    yield "|" + " --- |" * 8
    for outcome in outcomes:
        bug = outcome.bug
        cells = (
            f"[{bug.place}]({bug.link})",
            bug.kind,
            " or ".join(bug.rules),
            outcome.found,
            outcome.code or "-",
            outcome.fix,
            " ".join(outcome.callers) or "-",
            " ".join(outcome.elsewhere) or "-",
        )
        yield "| " + " | ".join(cells) + " |"


def _tally(outcomes: list[Outcome]) -> Iterator[str]:
    yield "| kind | bugs | same statement | same loop | missed |"
    yield "|" + " --- |" * 5
    kinds = sorted({outcome.bug.kind for outcome in outcomes})
    for kind in (*kinds, None):
        chosen = [o for o in outcomes if kind in (None, o.bug.kind)]
        found = Counter(outcome.found for outcome in chosen)
        cells = (kind or "all", len(chosen), found["statement"], found["loop"], found[MISSED])
        yield "| " + " | ".join(map(str, cells)) + " |"
    fixes = Counter(outcome.fix for outcome in outcomes if outcome.found != MISSED)
    yield ""
    by_default = [outcome for outcome in outcomes if outcome.bug.by_default]
    yield f"found in the file itself: {_share(outcomes)}"
    yield f"of those for which there is a default rule: {_share(by_default)}"
    yield f"found there or by way of a caller: {_share(outcomes, by_callers=True)}"
    yield f"of those with a default rule: {_share(by_default, by_callers=True)}"
    yield f"fixes equal in substance to the real one: {fixes[EQUAL]}, others: {fixes[OTHER]}"


def _share(outcomes: Iterable[Outcome], *, by_callers: bool = False) -> str:
    found = [o.in_project if by_callers else o.found != MISSED for o in outcomes]
    return f"{sum(found)} of {len(found)} ({sum(found) / (len(found) or 1):.3f})"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.historical", description=__doc__)
    add = parser.add_argument
    add("--repos", type=Path, required=True, help="a folder of clones")
    halves = "only this part of the bugs; without it all that were used for tuning"
    add("--half", choices=(*TUNED, *LATER), action="append", help=halves)
    add("--all-rules", action="store_true", help="opt-in rules too")
    add("--no-callers", action="store_true", help="only the file of the bug, as it used to be")
    add("--jobs", "-j", type=int, default=2, help="bugs at once")
    return parser


if __name__ == "__main__":
    sys.exit(main())
