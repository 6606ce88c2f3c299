"""Decode a Python file to the text the compiler sees, and encode it again without losing a byte.

The text always has `\\n` line ends and no byte order mark, as the compiler sees it; encoding,
mark and line ends are remembered and come back when the text is turned into bytes again.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from dataclasses import dataclass

from ..finding import SourceError

_LINE_END = re.compile("\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Decoded:
    """A file's text, and what it takes to turn that into bytes again."""

    text: str
    encoding: str
    line_ends: tuple[str, ...] | str
    """One string when all lines end alike, else the end of every line in order."""


def decode(data: bytes) -> Decoded:
    """The text of a file, by its byte order mark or PEP 263 declaration; else UTF-8."""
    # Importing tokenize costs more than most runs; only files that can train come this far.
    import tokenize

    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    except SyntaxError as error:
        if "unknown" in str(error) or "problem" in str(error):
            raise SourceError(f"cannot decode: {error.msg}") from None
        encoding = "utf-8"  # not valid, and the attempt below says where
    try:
        raw = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        byte = data[error.start]
        raise SourceError(f"cannot decode as {encoding}: byte 0x{byte:02x}", line) from None
    except (LookupError, ValueError) as error:
        raise SourceError(f"cannot decode: {error}") from None
    if "\0" in raw:
        raise SourceError("contains a null byte", raw.count("\n", 0, raw.index("\0")) + 1)
    return _normalise(raw, encoding)


def _normalise(raw: str, encoding: str) -> Decoded:
    if "\r" not in raw:
        return Decoded(raw, encoding, "\n")
    ends = tuple(_LINE_END.findall(raw))
    text = _LINE_END.sub("\n", raw)
    return Decoded(text, encoding, ends[0] if len(set(ends)) == 1 else ends)


def encode(original: Decoded, text: str) -> bytes:
    """The bytes of changed text, with everything that did not change as it was."""
    if isinstance(original.line_ends, str):
        raw = text if original.line_ends == "\n" else text.replace("\n", original.line_ends)
    else:
        raw = _with_line_ends(original.text, text, original.line_ends)
        if _LINE_END.sub("\n", raw) != text:
            raise SourceError("the fix does not go with the file's mixed line ends")
    try:
        return raw.encode(original.encoding)
    except UnicodeEncodeError as error:
        raise SourceError(f"the fix cannot be written in {original.encoding}: {error}") from None


def _with_line_ends(before: str, after: str, ends: tuple[str, ...]) -> str:
    """Kept lines keep their own ends; new ones get the end most lines have."""
    from difflib import SequenceMatcher

    old, new = before.split("\n"), after.split("\n")
    # Never a lone CR for a new line: an LF right behind it would make one end out of two.
    usual = Counter(end for end in ends if end != "\r").most_common(1)[0][0]
    chosen = [usual] * (len(new) - 1)
    # The same head and tail first: among equal lines a matcher may pair up the wrong ones.
    shorter = min(len(old), len(new))
    head = next((i for i in range(shorter) if old[i] != new[i]), shorter)
    tail = next((i for i in range(shorter - head) if old[-1 - i] != new[-1 - i]), shorter - head)
    old_middle, new_middle = old[head : len(old) - tail], new[head : len(new) - tail]
    middle = SequenceMatcher(None, old_middle, new_middle, False).get_matching_blocks()
    same = [(0, 0, head), (len(old) - tail, len(new) - tail, tail)]
    same += [(head + block.a, head + block.b, block.size) for block in middle]
    for old_start, new_start, size in same:
        for offset in range(size):
            if old_start + offset < len(ends) and new_start + offset < len(chosen):
                chosen[new_start + offset] = ends[old_start + offset]
    return "".join(line + end for line, end in zip(new, [*chosen, ""], strict=True))
