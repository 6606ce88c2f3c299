"""Escape file names for a line of text, an XML document or a URI."""

from __future__ import annotations

import os
import re
from urllib.parse import quote

_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def one_line(text: str) -> str:
    """A text in which all is escaped that would break a line or cannot be encoded."""
    return _UNPRINTABLE.sub(lambda match: ascii(match[0])[1:-1], text)


def uri(path: str) -> str:
    """A URI reference: relative with forward slashes, or `file://` for an absolute path."""
    quoted = quote(os.fsencode(path.replace(os.sep, "/")))
    return f"file://{quoted}" if path.startswith("/") else quoted
