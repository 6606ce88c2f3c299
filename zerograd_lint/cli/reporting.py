"""Where a check's report goes: the screen, a file, or standard error beside fixed input."""

from __future__ import annotations

import os
import sys

from ..check.options import DIFF, FIX, SILENCE
from .colour_choice import wants_color

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable

    from ..check.options import CheckResult, RunOptions
    from ..check.result import FileResult
    from ..config.project import Config


_WITH_SUMMARY = ("full", "concise")
"""The formats that are for people and end with a summary; all others are read by programs."""


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
            from ..report.summary import counted

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
    _say_what_was_fixed(args, here, checked)


def _rendered(
    args: Namespace, here: Config, options: RunOptions, checked: CheckResult, terminal: bool
) -> str:
    chosen = here.string("output-format") or ("full" if terminal else "concise")
    color = wants_color(args.color, terminal)
    if chosen == "concise" and not checked.results and not color:
        # The most common end of all, and the report need not even be loaded.
        return "" if args.quiet or args.statistics else "All checks passed!\n"
    from .. import report as reports

    wanted = reports.ReportOptions(
        color=color,
        quiet=args.quiet,
        unsafe=options.unsafe,
        fixing=options.mode == FIX,
        fix_only=args.fix_only,
    )
    if args.statistics:
        return reports.statistics.render(checked.results, chosen, unsafe=options.unsafe)
    return reports.render(chosen, checked.results, wanted)


def _say_what_was_fixed(args: Namespace, here: Config, checked: CheckResult) -> None:
    """Say on standard error how much was fixed, if the report has no place for it."""
    fixed = sum(result.fixed for result in checked.results)
    in_report = here.string("output-format") in (None, *_WITH_SUMMARY) and not args.statistics
    if fixed and not args.quiet and not in_report:
        from ..report.summary import fixes

        left = sum(len(result.findings) for result in checked.results)
        print(fixes(fixed, left), file=sys.stderr)


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
        from ..report.summary import counted

        fixed = sum(result.fixed for result in checked.results)
        left = [finding for result in checked.results for finding in result.findings]
        unsafe = sum(finding.fix is not None and not finding.fix.safe for finding in left)
        hint = f" ({unsafe} fixable with --unsafe-fixes)" if unsafe else ""
        print(
            f"Would fix {counted(fixed, 'finding')}; {len(left)} would remain{hint}.",
            file=sys.stderr,
        )


def warn_of_ruff(checked: CheckResult) -> None:
    """One warning if ruff is set up so that it would delete `# noqa` comments of ours."""
    added = [result.path for result in checked.results if result.silenced]
    folders = {os.path.dirname(os.path.abspath(path)) for path in (*checked.commented, *added)}
    if not folders:
        return
    from ..config.ruff_settings import deleting_file

    for folder in sorted(folders):
        file = deleting_file(folder)
        if file is not None:
            advice = "add 'ZG' to its lint.external"
            print(
                f"warning: with {file}, ruff deletes '# noqa: ZG' comments; {advice}",
                file=sys.stderr,
            )
            return


def show_gone(baseline: str, gone: list[str]) -> None:
    """The entries of a baseline that are no longer found, so that it can be written anew."""
    if gone:
        from ..report.summary import counted

        said = f"{counted(len(gone), 'entry')} of {baseline} no longer found"
        print(f"{said}; write it anew with --write-baseline:", file=sys.stderr)
        for entry in gone:
            print(f"  {entry}", file=sys.stderr)


def show_skipped(results: Iterable[FileResult]) -> None:
    """A warning for every cell that was left out because it is an exercise."""
    for result in results:
        for cell in result.skipped:
            print(f"warning: {result.path}:{cell.place}: {cell.message}", file=sys.stderr)


def show_problems(results: Iterable[FileResult]) -> None:
    """The lines about files that could not be checked, beside other output."""
    for result in results:
        if result.problems:
            from ..report.concise import problem_line

            for problem in result.problems:
                print(problem_line(result, problem), file=sys.stderr)
