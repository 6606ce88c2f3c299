"""Escape file names for a line of text, an XML document or a URI."""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import quote

_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def one_line(text: str) -> str:
    """A text in which all is escaped that would break a line or cannot be encoded."""
    return _UNPRINTABLE.sub(lambda match: ascii(match[0])[1:-1], text)


def from_here(path: str) -> str:
    """A path with forward slashes, relative to the current folder wherever it is below it."""
    absolute = Path(os.path.normpath(Path(path).absolute()))
    here = Path.cwd()
    return (absolute.relative_to(here) if absolute.is_relative_to(here) else absolute).as_posix()


def uri(path: str) -> str:
    """A URI reference: relative below the current folder, else with `file://`."""
    path = from_here(path)
    quoted = quote(os.fsencode(path))
    return f"file://{quoted}" if path.startswith("/") else quoted
