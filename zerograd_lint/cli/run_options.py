"""From the words of the command line and the configuration to the options of a run."""

from __future__ import annotations

import os

from ..check.options import CHECK, DIFF, FIX, SILENCE, RunOptions
from ..config.discovery import Discovery
from ..config.errors import ConfigError
from ..config.selectors import check_selectors, selectors_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from ..config.project import Config

KEYS = (
    "select",
    "extend-select",
    "ignore",
    "exclude",
    "extend-exclude",
    "force-exclude",
    "respect-gitignore",
    "unused-noqa",
    "documents",
    "docstrings",
    "fix",
    "unsafe-fixes",
    "output-format",
    "baseline",
    "cache-dir",
    "jobs",
    "project",
)
"""The options that are keys of the configuration as well."""
_CONTRADICTIONS = (
    ("add_noqa", "fix"),
    ("add_noqa", "fix_only"),
    ("add_noqa", "diff"),
    ("write_baseline", "fix_only"),
    ("watch", "add_noqa"),
    ("watch", "write_baseline"),
)


def refuse_contradictions(args: Namespace) -> None:
    """Raise `ConfigError` for options and paths that cannot be meant together."""
    if "-" in args.paths and len(args.paths) > 1:
        raise ConfigError("'-' cannot be combined with other paths")
    if "-" in args.paths and args.watch:
        raise ConfigError("'-' cannot be combined with --watch")
    if "" in args.paths:
        raise ConfigError("a path is empty")
    for one, other in _CONTRADICTIONS:
        if getattr(args, one) and getattr(args, other):
            names = [f"--{name.replace('_', '-')}" for name in (one, other)]
            raise ConfigError(f"{names[0]} cannot be combined with {names[1]}")


def discovery_for(args: Namespace) -> Discovery:
    """What finds the files, with the options that go before every table."""
    settings: dict[str, object] = {}
    table = None
    for value in args.config:
        from ..config import pyproject

        if "=" in value and not os.path.exists(value):
            settings.update(pyproject.inline(value))
        elif args.isolated:
            raise ConfigError(f"--isolated cannot be combined with --config {value}")
        else:
            table = pyproject.named(value)
    return Discovery(_given(args), isolated=args.isolated, table=table, settings=settings)


def _given(args: Namespace) -> dict[str, object]:
    """What was said on the command line, under the names of the configuration."""
    options: dict[str, object] = {}
    for key in KEYS:
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


def main_folder(paths: list[str], stdin_filename: str | None) -> str:
    """The folder whose configuration decides what concerns the run as a whole."""
    first = (stdin_filename or ".") if paths == ["-"] else paths[0]
    absolute = os.path.abspath(first)
    return absolute if os.path.isdir(absolute) else os.path.dirname(absolute)


def run_options(args: Namespace, here: Config) -> RunOptions:
    """The options of a run, where `here` is the configuration of its main folder."""
    known = None
    baseline = here.string("baseline")
    if baseline is not None and args.write_baseline is None:
        from ..config.baseline import Baseline

        known = Baseline(_absolute(args, here, "baseline", baseline))
    return RunOptions(
        mode=_mode(args, here),
        unsafe=here.flag("unsafe-fixes"),
        jobs=here.count("jobs"),
        cache_folder=None if args.no_cache else _cache_folder(args, here),
        baseline=known,
        cpu_limit=args.file_timeout,
    )


def _mode(args: Namespace, here: Config) -> str:
    if args.add_noqa:
        return SILENCE
    if args.diff:
        return DIFF
    fixes = args.fix_only or here.flag("fix")
    return FIX if fixes and not args.write_baseline else CHECK


def _cache_folder(args: Namespace, here: Config) -> str | None:
    chosen = here.string("cache-dir")
    if chosen is not None:
        return _absolute(args, here, "cache_dir", chosen)
    from ..config.cache_folder import default_folder

    return default_folder()


def _absolute(args: Namespace, here: Config, option: str, path: str) -> str:
    """A path in the table is relative to its file, one on the command line to where we are."""
    return os.path.join(here.root if getattr(args, option) is None else os.getcwd(), path)
