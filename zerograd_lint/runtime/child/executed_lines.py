"""Which lines of a file were executed; a finding on any other line stays open."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterable
from types import FrameType
from typing import Any

_lines: set[int] = set()


def seen() -> set[int]:
    """The lines executed so far."""
    return _lines


def any_missing(groups: Iterable[Iterable[int]]) -> bool:
    """Whether there is a group of lines of which none has been executed."""
    return any(_lines.isdisjoint(group) for group in groups)


def watch(paths: Iterable[str]) -> None:
    """Trace the frames of these files only; all others cost one call event each."""
    wanted = {os.path.realpath(path) for path in paths}
    known: dict[str, bool] = {}

    def on_line(frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line":
            _lines.add(frame.f_lineno)
        return on_line

    def on_call(frame: FrameType, event: str, argument: Any) -> Any:
        filename = frame.f_code.co_filename
        is_wanted = known.get(filename)
        if is_wanted is None:
            is_wanted = known[filename] = os.path.realpath(filename) in wanted
        return on_line if is_wanted else None

    threading.settrace(on_call)
    sys.settrace(on_call)
