"""Splits off the arguments after `--`, which belong to the program that is run."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any


def split_at_dashes(parser: argparse.ArgumentParser) -> None:
    """Give `parser` an `arguments` list with what stands after the first `--`.

    argparse itself drops the `--` and cannot separate paths before it from arguments after it.
    """
    original = parser.parse_known_args

    def parse_known_args(args: Sequence[str] | None = None, namespace: Any = None) -> Any:
        words = list(sys.argv[1:] if args is None else args)
        end = words.index("--") if "--" in words else len(words)
        parsed, unknown = original(words[:end], namespace)
        parsed.arguments = words[end + 1 :]
        return parsed, unknown

    parser.parse_known_args = parse_known_args  # type: ignore[assignment, method-assign]
