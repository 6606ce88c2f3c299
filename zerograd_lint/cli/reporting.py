"""Where a check's report goes: the screen, a file, or standard error beside fixed input."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable

    from ..check.result import FileResult
    from ..check.run import Outcome, RunOptions
    from ..config.pyproject import Config


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def report(
    args: Namespace, here: Config, options: RunOptions, outcome: Outcome, stdin: bytes | None
) -> None:
    """Print what a run found, in the way its options ask for."""
    if options.mode == "diff":
        _show_diff(args, outcome)
    elif options.mode == "silence":
        if stdin is not None:
            _pass_on(stdin, outcome.results)
        show_problems(outcome.results)
        added = sum(result.silenced for result in outcome.results)
        if not args.quiet:
            print(f"Added {counted(added, 'noqa comment')}.", file=sys.stderr)
    elif options.mode == "fix" and stdin is not None:
        _pass_on(stdin, outcome.results)
        sys.stderr.write(_rendered(args, here, options, outcome, sys.stderr.isatty()))
    elif args.output_file is not None:
        content = _rendered(args, here, options, outcome, False)
        with open(args.output_file, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(content)
    else:
        sys.stdout.write(_rendered(args, here, options, outcome, sys.stdout.isatty()))


def _rendered(
    args: Namespace, here: Config, options: RunOptions, outcome: Outcome, terminal: bool
) -> str:
    chosen = here.string("output-format") or ("full" if terminal else "concise")
    if chosen == "concise" and not outcome.results:
        return ""  # the most common end of all, and the report need not even be loaded
    from .. import report as reports

    context = reports.Context(
        color=_wants_color(terminal),
        quiet=args.quiet,
        unsafe=options.unsafe,
        fixing=options.mode == "fix",
        files=outcome.files,
    )
    if args.statistics:
        return reports.statistics.render(outcome.results, chosen)
    return reports.render(chosen, outcome.results, context)


def _wants_color(terminal: bool) -> bool:
    """`NO_COLOR` and `FORCE_COLOR` as everywhere: set and not empty."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (terminal and os.environ.get("TERM") != "dumb")


def _pass_on(stdin: bytes, results: list[FileResult]) -> None:
    """Standard input as changed, or as it came."""
    changed = results[0].new_data if results else None
    sys.stdout.flush()
    sys.stdout.buffer.write(stdin if changed is None else changed)
    sys.stdout.buffer.flush()


def _show_diff(args: Namespace, outcome: Outcome) -> None:
    for result in outcome.results:
        sys.stdout.write(result.diff)
    show_problems(outcome.results)
    if not args.quiet:
        fixed = sum(result.fixed for result in outcome.results)
        left = [finding for result in outcome.results for finding in result.findings]
        unsafe = sum(finding.fix is not None and not finding.fix.safe for finding in left)
        hint = f" ({unsafe} fixable with --unsafe-fixes)" if unsafe else ""
        print(
            f"Would fix {counted(fixed, 'finding')}; {len(left)} would remain{hint}.",
            file=sys.stderr,
        )


def show_problems(results: Iterable[FileResult]) -> None:
    """The lines about files that could not be checked, beside other output."""
    for result in results:
        if result.problems:
            from ..report.concise import problem_line

            for problem in result.problems:
                print(problem_line(result, problem), file=sys.stderr)
