"""Where values stand in a JSON text, so that one can be replaced without changing the rest."""

from __future__ import annotations

import json
import re

_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\r\n]*")


def members(raw: str, index: int = 0) -> dict[str, tuple[int, int]]:
    """Where each member of the object at `index` has its value: (start, end)."""
    spans: dict[str, tuple[int, int]] = {}
    index = _skip(raw, index)
    if raw[index : index + 1] != "{":
        raise json.JSONDecodeError("an object was expected", raw, index)
    index = _skip(raw, index + 1)
    while raw[index : index + 1] != "}":
        if raw[index : index + 1] != '"':
            raise json.JSONDecodeError("a name was expected", raw, index)
        key, index = _decode(raw, index)
        index = _skip(raw, index)
        if raw[index : index + 1] != ":":
            raise json.JSONDecodeError("a colon was expected", raw, index)
        start = _skip(raw, index + 1)
        end = _decode(raw, start)[1]
        spans[str(key)] = (start, end)
        index = _after_value(raw, end, "}")
    return spans


def items(raw: str, index: int = 0) -> list[tuple[int, int]]:
    """Where each item of the array at `index` stands: (start, end)."""
    if raw[index : index + 1] != "[":
        raise json.JSONDecodeError("a list was expected", raw, index)
    spans = []
    index = _skip(raw, index + 1)
    while raw[index : index + 1] != "]":
        end = _decode(raw, index)[1]
        spans.append((index, end))
        index = _after_value(raw, end, "]")
    return spans


def value_at(raw: str, index: int) -> object:
    """The value that begins at `index`."""
    return _decode(raw, index)[0]


def _decode(raw: str, index: int) -> tuple[object, int]:
    return _DECODER.raw_decode(raw, index)


def _skip(raw: str, index: int) -> int:
    match = _SPACE.match(raw, index)
    return match.end() if match else index


def _after_value(raw: str, index: int, closing: str) -> int:
    index = _skip(raw, index)
    if raw[index : index + 1] == ",":
        return _skip(raw, index + 1)
    if raw[index : index + 1] != closing:
        raise json.JSONDecodeError(f"',' or '{closing}' was expected", raw, index)
    return index
