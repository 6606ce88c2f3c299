"""The arguments on a command line that belong to the program that is run."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any

_MODULE = "-m"


def leave_arguments_to_the_program(parser: argparse.ArgumentParser) -> None:
    """Give `parser` an `arguments` list: what stands after `--`, and every option unknown to us.

    argparse itself drops the `--` and cannot separate paths before it from arguments after it.
    """
    original = parser.parse_known_args

    def parse_known_args(args: Sequence[str] | None = None, namespace: Any = None) -> Any:
        words = list(sys.argv[1:] if args is None else args)
        ours, theirs = _split(words)
        parsed, unknown = original(ours, namespace)
        parsed.arguments = [*unknown, *theirs]
        parsed.unknown = unknown
        return parsed, []

    parser.allow_abbrev = False  # `--out` may well be an option of the program
    parser.parse_known_args = parse_known_args  # type: ignore[assignment, method-assign]


def _split(words: list[str]) -> tuple[list[str], list[str]]:
    end = words.index("--") if "--" in words else len(words)
    return words[:end], words[end + 1 :]


def leave_all_after_the_module(parser: argparse.ArgumentParser) -> None:
    """As with python itself: what stands after `-m MODULE` is for the module."""
    original = parser.parse_known_args

    def parse_known_args(args: Sequence[str] | None = None, namespace: Any = None) -> Any:
        words = list(sys.argv[1:] if args is None else args)
        if _MODULE not in _split(words)[0]:
            return original(words, namespace)
        end = words.index(_MODULE) + 2
        rest = words[end:]
        return original([*words[:end], "--", *rest[rest[:1] == ["--"] :]], namespace)

    parser.parse_known_args = parse_known_args  # type: ignore[assignment, method-assign]


def note_on(unknown: Sequence[str]) -> str:
    """Which options were taken for the program's, so that a misspelt one is noticed."""
    return f"note: given to the program: {' '.join(unknown)}"
