"""Bytes to text and back: nothing is lost, and what cannot be read says why."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerograd_lint import SourceError
from zerograd_lint.files.source import decode, encode

_LINES = st.lists(
    st.tuples(st.text("ab é\t\x0c", max_size=4), st.sampled_from(["\n", "\r\n", "\r"])), max_size=8
)


@given(_LINES, st.sampled_from(["utf-8", "utf-8-sig", "latin-1"]))
def test_unchanged_text_gives_the_same_bytes(lines: list[tuple[str, str]], encoding: str) -> None:
    head = "# coding: latin-1\n" if encoding == "latin-1" else ""
    data = (head + "".join(text + end for text, end in lines)).encode(encoding)
    decoded = decode(data)
    assert "\r" not in decoded.text
    assert encode(decoded, decoded.text) == data


@given(_LINES, st.integers(0, 8))
def test_an_inserted_line_changes_no_other(lines: list[tuple[str, str]], at: int) -> None:
    data = "".join(text + end for text, end in lines).encode()
    decoded = decode(data)
    parts = decoded.text.split("\n")
    at = min(at, len(parts) - 1)
    changed = encode(decoded, "\n".join([*parts[:at], "NEW", *parts[at:]]))
    before, _, after = changed.partition(b"NEW")
    assert after[:1] in (b"\r", b"\n")
    rest = after[2:] if after[:2] == b"\r\n" else after[1:]
    assert before + rest == data


@pytest.mark.parametrize(
    ("data", "line", "reason"),
    [
        (b"x = 1\ny = '\xff'\n", 2, "cannot decode as utf-8: byte 0xff"),
        (b"\n\n\nx = '\xe9'\n", 4, "cannot decode as utf-8: byte 0xe9"),
        (b"# coding: klingon\n", 1, "unknown encoding"),
        (b"\xef\xbb\xbf# coding: latin-1\n", 1, "cannot decode"),
        (b"# coding: rot13\n", 1, "cannot decode"),
        (b"x = 1\n\0\n", 2, "null byte"),
    ],
)
def test_what_cannot_be_decoded_says_where(data: bytes, line: int, reason: str) -> None:
    with pytest.raises(SourceError) as caught:
        decode(data)
    assert reason in caught.value.message
    assert caught.value.line == line


def test_declared_encodings_are_obeyed() -> None:
    assert decode("# coding: cp1251\nx = 'я'\n".encode("cp1251")).text.endswith("x = 'я'\n")
    assert (
        decode("# vim: set fileencoding=shift_jis :\n'日'\n".encode("shift_jis")).text[-3] == "日"
    )
