"""`zerograd-lint check`: run over files, report, and return the exit status."""

from __future__ import annotations

import os
import sys

from ..check.options import CHECK, DIFF, FIX, SILENCE, CheckResult, RunOptions
from ..check.run import check_files, check_standard_input
from ..config.discovery import Discovery
from ..config.errors import ConfigError
from ..config.project import Config
from ..config.selectors import check_selectors, selectors_in
from .check_options import add_arguments
from .reporting import counted, report, show_problems

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from .terminal import CheckProgress

__all__ = ["add_arguments", "run"]

OPTIONS = (
    "select",
    "extend-select",
    "ignore",
    "exclude",
    "extend-exclude",
    "force-exclude",
    "respect-gitignore",
    "markdown",
    "fix",
    "unsafe-fixes",
    "output-format",
    "baseline",
    "cache-dir",
    "jobs",
)


def run(args: Namespace) -> int:
    """Check, report and return the exit status."""
    if args.explain is not None:
        from .explaining import explain

        return explain(args, Discovery(_options(args), isolated=args.isolated))
    paths = args.paths or ["."]
    from_stdin = "-" in paths
    if from_stdin and len(paths) > 1:
        raise ConfigError("'-' cannot be combined with other paths")
    discovery = Discovery(_options(args), isolated=args.isolated)
    here = discovery.config_for(_main_folder(paths, args.stdin_filename))
    options = _run_options(args, here)
    progress = _progress(args)
    options.on_progress = progress.show if progress else None
    data = b""
    try:
        if from_stdin:
            data = _standard_input()
            checked = check_standard_input(data, args.stdin_filename or "-", discovery, options)
        else:
            checked = check_files(discovery.find(paths), options)
    finally:
        if progress:
            progress.clear()
    if args.verbose:
        _describe(checked, here, options)
    return _conclude(args, here, options, checked, data if from_stdin else None)


def _standard_input() -> bytes:
    if sys.stdin is None:
        raise ConfigError("standard input is closed")
    return sys.stdin.buffer.read()


def _options(args: Namespace) -> dict[str, object]:
    """What was said on the command line, under the names of the configuration."""
    options: dict[str, object] = {}
    for key in OPTIONS:
        value = getattr(args, key.replace("-", "_"))
        if value is not None:
            options[key] = value
    if args.per_file_ignores:
        merged: dict[str, list[str]] = {}
        for entry in args.per_file_ignores:
            for pattern, codes in entry.items():
                merged.setdefault(pattern, []).extend(codes)
        options["per-file-ignores"] = merged
    check_selectors(selectors_in(options))
    return options


def _main_folder(paths: list[str], stdin_filename: str | None) -> str:
    """The folder whose configuration decides what concerns the run as a whole."""
    first = (stdin_filename or ".") if paths == ["-"] else paths[0]
    absolute = os.path.abspath(first)
    return absolute if os.path.isdir(absolute) else os.path.dirname(absolute)


def _run_options(args: Namespace, here: Config) -> RunOptions:
    mode = CHECK
    if args.add_noqa:
        mode = SILENCE
    elif args.diff:
        mode = DIFF
    elif here.flag("fix") and not args.write_baseline:
        mode = FIX
    known = None
    baseline = here.string("baseline")
    if baseline is not None and args.write_baseline is None:
        from ..config.baseline import Baseline

        # A path in the table is relative to its file, one on the command line to where we are.
        base = os.getcwd() if args.baseline is not None else here.root
        known = Baseline(os.path.join(base, baseline))
    return RunOptions(
        mode=mode,
        unsafe=here.flag("unsafe-fixes"),
        jobs=here.count("jobs"),
        cache_folder=None if args.no_cache else _cache_folder(args, here),
        baseline=known,
        cpu_limit=args.file_timeout,
    )


def _cache_folder(args: Namespace, here: Config) -> str | None:
    chosen = here.string("cache-dir")
    if chosen is not None:
        return os.path.join(os.getcwd() if args.cache_dir is not None else here.root, chosen)
    from ..config.cache_folder import default_folder

    return default_folder()


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
    if args.write_baseline is not None:
        from ..config import baseline

        count = baseline.write(
            args.write_baseline, ((r.path, r.text, r.findings) for r in checked.results)
        )
        if not args.quiet:
            print(f"Wrote {counted(count, 'finding')} to {args.write_baseline}.", file=sys.stderr)
        show_problems(checked.results)
    else:
        report(args, here, options, checked, stdin)
    if any(result.problems for result in checked.results):
        return 2
    if args.exit_zero or args.write_baseline is not None:
        return 0
    if options.mode == DIFF:
        return 1 if any(result.diff for result in checked.results) else 0
    return 1 if any(result.findings for result in checked.results) else 0
