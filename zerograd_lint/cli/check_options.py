"""The options of `zerograd-lint check`, named as in ruff."""

from __future__ import annotations

import argparse

from ..config.table import FORMATS
from .option_values import (
    comma_separated,
    file_line,
    new_file,
    pattern_codes,
    positive,
    rule_codes,
    seconds,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_EPILOG = """\
examples:
  zerograd-lint check                      everything below the current folder
  zerograd-lint check --diff train.py      show what --fix would change
  zerograd-lint check --select ALL src     opt-in rules as well
  cat a.py | zerograd-lint check --stdin-filename a.py -

Options can also stand in pyproject.toml, under [tool.zerograd-lint].
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command to argparse."""
    parser.usage = "zerograd-lint check [OPTIONS] [PATH ...]"
    parser.description = "Report gradients that are stale, wiped, misdirected or never applied."
    parser.epilog = _EPILOG
    add = parser.add_argument
    add("paths", nargs="*", metavar="PATH", help="files or folders; - is standard input (.)")
    add("-V", "--version", action="version", version=_version())
    _add_selection(parser.add_argument_group("which rules"))
    _add_files(parser.add_argument_group("which files"))
    _add_fixing(parser.add_argument_group("fixing"))
    _add_output(parser.add_argument_group("output"))
    _add_running(parser.add_argument_group("running"))


def _version() -> str:
    from .. import __version__

    return f"zerograd-lint {__version__}"


def _add_selection(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    codes: dict[str, Any] = {"type": comma_separated, "action": "extend", "metavar": "CODES"}
    chosen = {**codes, "type": rule_codes}
    add("--select", help="run these and no others: codes, prefixes or ALL", **chosen)
    add("--extend-select", help="run these as well", **codes)
    add("--ignore", help="do not run these", **codes)
    add(
        "--per-file-ignores",
        type=pattern_codes,
        action="append",
        metavar="PATTERN:CODES",
        help="do not run these in files that match, e.g. 'tests/*:ZG001'",
    )
    add(
        "--unused-noqa",
        action="store_true",
        default=None,
        help="also report '# noqa: ZG001' comments that silence nothing",
    )
    add(
        "--config",
        action="append",
        default=[],
        metavar="FILE|KEY=VALUE",
        help="a TOML file to read instead of pyproject.toml, or one setting as TOML",
    )
    add("--isolated", action="store_true", help="read no pyproject.toml")
    add("--show-settings", action="store_true", help="print what the configuration comes to")


def _add_files(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    patterns: dict[str, Any] = {"type": comma_separated, "action": "extend", "metavar": "GLOBS"}
    add("--exclude", help="leave these out instead of the defaults", **patterns)
    add("--extend-exclude", help="leave these out as well", **patterns)
    add(
        "--force-exclude",
        action="store_true",
        default=None,
        help="obey excludes for files named on the command line too",
    )
    add(
        "--no-respect-gitignore",
        dest="respect_gitignore",
        action="store_false",
        default=None,
        help="also check what git ignores",
    )
    add(
        "--documents",
        action="store_true",
        default=None,
        help="also check Python blocks in Markdown, MyST, Quarto and reStructuredText",
    )
    add(
        "--docstrings",
        action="store_true",
        default=None,
        help="also check examples in docstrings: doctests and code blocks",
    )
    add("--stdin-filename", metavar="NAME", help="what to call standard input")
    add("--show-files", action="store_true", help="list the files that would be checked")


def _add_fixing(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    add("--fix", action="store_true", default=None, help="apply safe fixes to the files")
    add(
        "--unsafe-fixes",
        action="store_true",
        default=None,
        help="with --fix or --diff: also those that need a second look",
    )
    add("--diff", action="store_true", help="show the fixes as a diff and change nothing")
    add("--fix-only", action="store_true", help="fix, and report nothing else; exit 0")
    add(
        "--exit-non-zero-on-fix",
        action="store_true",
        help="exit 1 when something was fixed, even if nothing is left",
    )
    add("--add-noqa", action="store_true", help="silence all findings with '# noqa' comments")
    add("--baseline", metavar="FILE", help="report only what is not in this file")
    add(
        "--write-baseline",
        type=new_file,
        metavar="FILE",
        help="write all findings to it and report none",
    )


def _add_output(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    add(
        "--output-format",
        choices=FORMATS,
        metavar="FORMAT",
        help=f"{', '.join(FORMATS[:5])}, {', '.join(FORMATS[5:])} "
        "(full on a terminal, else concise)",
    )
    add("-o", "--output-file", type=new_file, metavar="FILE", help="write the report there")
    add(
        "--explain",
        type=file_line,
        metavar="FILE:LINE",
        help="say why this line is reported, or why it is not",
    )
    add(
        "--explain-project",
        metavar="FILE",
        help="say which other modules are read for this file's findings",
    )
    add("--statistics", action="store_true", help="count findings by rule instead")
    add(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        metavar="WHEN",
        help="auto, always or never (auto: on a terminal)",
    )
    add("--exit-zero", action="store_true", help="exit 0 even when there are findings")
    add("-q", "--quiet", action="store_true", help="findings only, no summary")
    add("-v", "--verbose", action="store_true", help="say what is done, on standard error")


def _add_running(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    add("--watch", action="store_true", help="check again whenever a file changes")
    add("-j", "--jobs", type=positive, metavar="N", help="processes to use (one per core)")
    add(
        "--no-project",
        dest="project",
        action="store_false",
        default=None,
        help="read no other modules of the project",
    )
    add("--no-cache", action="store_true", help="neither read nor keep earlier results")
    add("--cache-dir", metavar="FOLDER", help="where results are kept between runs")
    add(
        "--file-timeout",
        type=seconds,
        default=10.0,
        metavar="SECONDS",
        help="CPU time one file may take (10)",
    )
