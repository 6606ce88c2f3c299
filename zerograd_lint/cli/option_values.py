"""The values of options, from the words of the command line."""

from __future__ import annotations

from argparse import ArgumentTypeError


def comma_separated(text: str) -> list[str]:
    """The parts of an option's value, without empty ones."""
    return [part for part in (piece.strip() for piece in text.split(",")) if part]


def rule_codes(text: str) -> list[str]:
    """The rules to run: at least one, so that an empty variable of a script is noticed."""
    codes = comma_separated(text)
    if not codes:
        raise ArgumentTypeError("names no rule")
    return codes


def positive(text: str) -> int:
    """An option's value as a whole number of at least 1."""
    if not text.strip().isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"must be a whole number of at least 1, not '{text}'")
    return int(text)


def seconds(text: str) -> float:
    """An option's value as a number of seconds."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < 1e6:
        raise ArgumentTypeError(f"must be a number above 0, not '{text}'")
    return number


def new_file(text: str) -> str:
    """An option's value as a file to be written, in a folder that is there."""
    from pathlib import Path

    if not Path(text).resolve().parent.is_dir():
        raise ArgumentTypeError(f"no such folder: {Path(text).parent}")
    return text


def pattern_codes(text: str) -> dict[str, list[str]]:
    """`a.py:ZG001,ZG002,b.py:ZG003`: a piece without a pattern belongs to the one before it."""
    ignores: dict[str, list[str]] = {}
    pattern = ""
    for piece in comma_separated(text):
        left, colon, right = piece.rpartition(":")
        pattern = left if colon else pattern
        if not pattern:
            raise ArgumentTypeError(f"expected PATTERN:CODE, not '{piece}'")
        ignores.setdefault(pattern, []).append(right.strip())
    return ignores


def file_line(text: str) -> tuple[str, int]:
    """An option's value as a file and a line of it."""
    path, colon, number = text.rpartition(":")
    if not colon or not path or not number.isdecimal():
        raise ArgumentTypeError(f"expected FILE:LINE, not '{text}'")
    return path, int(number)
