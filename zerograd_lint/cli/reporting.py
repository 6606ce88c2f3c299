"""Where a check's report goes: the screen, a file, or standard error beside fixed input."""

from __future__ import annotations

import os
import sys

from ..check.options import DIFF, FIX, SILENCE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable

    from ..check.options import CheckResult, RunOptions
    from ..check.result import FileResult
    from ..config.project import Config


def counted(number: int, noun: str) -> str:
    """A number and its noun, in the plural where it must be: `2 fixes`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def report(
    args: Namespace, here: Config, options: RunOptions, checked: CheckResult, stdin: bytes | None
) -> None:
    """Print what a run found, in the way its options ask for."""
    if options.mode == DIFF:
        _show_diff(args, checked)
    elif options.mode == SILENCE:
        if stdin is not None:
            _pass_on(stdin, checked.results)
        show_problems(checked.results)
        added = sum(result.silenced for result in checked.results)
        if not args.quiet:
            print(f"Added {counted(added, 'noqa comment')}.", file=sys.stderr)
    elif options.mode == FIX and stdin is not None:
        _pass_on(stdin, checked.results)
        sys.stderr.write(_rendered(args, here, options, checked, sys.stderr.isatty()))
    elif args.output_file is not None:
        content = _rendered(args, here, options, checked, False)
        with open(args.output_file, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(content)
    else:
        sys.stdout.write(_rendered(args, here, options, checked, sys.stdout.isatty()))


def _rendered(
    args: Namespace, here: Config, options: RunOptions, checked: CheckResult, terminal: bool
) -> str:
    chosen = here.string("output-format") or ("full" if terminal else "concise")
    if chosen == "concise" and not checked.results:
        return ""  # the most common end of all, and the report need not even be loaded
    from .. import report as reports

    wanted = reports.ReportOptions(
        color=_wants_color(terminal),
        quiet=args.quiet,
        unsafe=options.unsafe,
        fixing=options.mode == FIX,
    )
    if args.statistics:
        return reports.statistics.render(checked.results, chosen)
    return reports.render(chosen, checked.results, wanted)


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


def _show_diff(args: Namespace, checked: CheckResult) -> None:
    for result in checked.results:
        sys.stdout.write(result.diff)
    show_problems(checked.results)
    if not args.quiet:
        fixed = sum(result.fixed for result in checked.results)
        left = [finding for result in checked.results for finding in result.findings]
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
