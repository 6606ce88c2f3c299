"""`zerograd-lint check`: run over files, report, and return the exit status."""

from __future__ import annotations

import os
import sys

from ..check.options import DIFF, CheckResult, RunOptions
from ..check.run import check_files, check_standard_input
from ..config.discovery import Discovery
from ..config.errors import ConfigError
from ..config.project import Config
from .check_options import add_arguments
from .reporting import report, show_gone, show_problems, show_skipped, warn_of_ruff
from .run_options import discovery_for, main_folder, refuse_contradictions, run_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from .terminal import CheckProgress

__all__ = ["add_arguments", "run"]


def run(args: Namespace) -> int:
    """Check, report and return the exit status."""
    refuse_contradictions(args)
    args.paths = args.paths or ["."]
    if args.explain is not None:
        from .explaining import explain

        return explain(args, discovery_for(args))
    if args.explain_project is not None:
        from .explaining_project import explain_project

        return explain_project(args, discovery_for(args))
    if args.show_settings or args.show_files:
        from . import listing

        discovery = discovery_for(args)
        if args.show_files:
            return listing.show_files(discovery.find(args.paths))
        return listing.show_settings(
            discovery.config_for(main_folder(args.paths, args.stdin_filename))
        )
    if args.watch:
        from .watching import watch

        return watch(args, _check)
    return _check(args)


def _check(args: Namespace) -> int:
    discovery = discovery_for(args)
    here = discovery.config_for(main_folder(args.paths, args.stdin_filename))
    options = run_options(args, here)
    progress = _progress(args)
    options.on_progress = progress.show if progress else None
    data = _standard_input() if args.paths == ["-"] else None
    try:
        checked = _checked(args, discovery, options, data)
    finally:
        if progress:
            progress.clear()
    if args.verbose:
        _describe(checked, here, options)
    return _conclude(args, here, options, checked, data)


def _checked(
    args: Namespace, discovery: Discovery, options: RunOptions, data: bytes | None
) -> CheckResult:
    if data is not None:
        return check_standard_input(data, args.stdin_filename or "-", discovery, options)
    checked = check_files(discovery.find(args.paths), options)
    if not checked.files and not args.quiet and any(map(os.path.isdir, args.paths)):
        where = ", ".join(args.paths)
        print(f"warning: no Python files or notebooks found below {where}", file=sys.stderr)
    return checked


def _standard_input() -> bytes:
    if sys.stdin is None:
        raise ConfigError("standard input is closed")
    return sys.stdin.buffer.read()


def _progress(args: Namespace) -> CheckProgress | None:
    if args.quiet or args.verbose or not sys.stderr.isatty():
        return None
    from .terminal import CheckProgress

    return CheckProgress()


def _describe(checked: CheckResult, here: Config, options: RunOptions) -> None:
    """Say on standard error what the run consisted of."""
    cached = sum(result.from_cache for result in checked.results)
    for line in (
        f"configuration: {here.file or 'none'}",
        f"cache: {options.cache_folder or 'off'}",
        f"files: {checked.files}, of which {len(checked.results)} can train ({cached} from cache)",
    ):
        print(line, file=sys.stderr)


def _conclude(
    args: Namespace, here: Config, options: RunOptions, checked: CheckResult, stdin: bytes | None
) -> int:
    """Report, and return the exit status."""
    if not args.quiet:
        show_skipped(checked.results)
        warn_of_ruff(checked)
        show_gone(here.string("baseline") or "", checked.gone)
    if args.write_baseline is not None:
        _write_baseline(args, checked)
    else:
        report(args, here, options, checked, stdin)
    if any(result.problems for result in checked.results):
        return 2
    if args.exit_zero or args.write_baseline is not None:
        return 0
    if options.mode == DIFF:
        return 1 if any(result.diff for result in checked.results) else 0
    if args.exit_non_zero_on_fix and any(result.fixed for result in checked.results):
        return 1
    found = not args.fix_only and any(result.findings for result in checked.results)
    return 1 if found else 0


def _write_baseline(args: Namespace, checked: CheckResult) -> None:
    from ..config import baseline
    from ..report.summary import counted

    found = ((result.path, result.text, result.findings) for result in checked.results)
    count = baseline.write(args.write_baseline, found)
    if not args.quiet:
        print(f"Wrote {counted(count, 'finding')} to {args.write_baseline}.", file=sys.stderr)
    show_problems(checked.results)
