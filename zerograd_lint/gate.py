"""The cheap test that lets 98 % of all files go unparsed: can this one train anything at all?

It works on bytes, before decoding: every encoding in which people write Python keeps ASCII.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_BACKWARD = re.compile(rb"backward\w*\s*\(")
_TRAINS = re.compile(rb"\.step\b|\.grad\b|zero_grad|optimizer_step")
_UNCALLED = re.compile(rb"\.zero_grad[ \t]*(?:#[^\r\n]*)?\r?$", re.MULTILINE)


def can_train_bytes(data: bytes, vocabulary: Iterable[bytes] = ()) -> bool:
    """Whether any rule could have something to say about this file's content.

    `vocabulary` holds a project's own names for gradient events: using one is evidence enough.
    """
    if any(word in data for word in vocabulary):
        return True
    if b"torch" not in data and b"lightning" not in data and b"accelerate" not in data:
        return False
    if b"backward" in data and _BACKWARD.search(data) and _TRAINS.search(data):
        return True
    return b"zero_grad" in data and (_UNCALLED.search(data) is not None or b".step(" in data)


def can_train(text: str, vocabulary: Iterable[str] = ()) -> bool:
    """The same for text that is already decoded."""
    return can_train_bytes(text.encode("utf-8", "surrogatepass"), encode_words(vocabulary))


def encode_words(names: Iterable[str]) -> tuple[bytes, ...]:
    """The last part of each qualified name, as bytes: what a call of it must spell out."""
    return tuple(name.rpartition(".")[2].encode() for name in names)
