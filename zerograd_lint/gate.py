"""The cheap test that lets 98 % of all files go unparsed: can this one train anything at all?"""

from __future__ import annotations

import re

_BACKWARD = re.compile(r"backward\w*\s*\(")
_TRAINS = re.compile(r"\.step\b|\.grad\b|zero_grad|optimizer_step")
_UNCALLED = re.compile(r"\.zero_grad[ \t]*(?:#.*)?$", re.MULTILINE)


def can_train(text: str) -> bool:
    """Whether any rule could have something to say about this text."""
    if "torch" not in text and "lightning" not in text and "accelerate" not in text:
        return False
    if "backward" in text and _BACKWARD.search(text) and _TRAINS.search(text):
        return True
    return "zero_grad" in text and (_UNCALLED.search(text) is not None or ".step(" in text)
