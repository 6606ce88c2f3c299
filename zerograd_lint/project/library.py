"""The modules that have been read, each once until its file changes."""

from __future__ import annotations

import os

from .source_module import SourceModule
from .unsaved_texts import UNSAVED

_MOST_BYTES = 6_000_000
"""Source of the modules that are kept; their syntax trees take some ten times as much."""


class Library:
    """Reads modules and remembers them for the next file that imports them."""

    def __init__(self, most_bytes: int = _MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._bytes = 0
        self._known: dict[str, tuple[tuple[int, int], SourceModule]] = {}
        """By path, the one that was asked for last at the end."""

    def module(self, path: str) -> SourceModule | None:
        """The module at a path; None if it cannot be opened."""
        unsaved = UNSAVED.look_up(path)
        if unsaved is not None:
            return self._unsaved(path, unsaved)
        try:
            status = os.stat(path)
            stamp = (status.st_mtime_ns, status.st_size)
            known = self._known.get(path)
            if known is not None and known[0] == stamp:
                return self._again(path)
            with open(path, "rb", 0) as file:
                module = SourceModule(path, file.read())
        except (OSError, ValueError, MemoryError):
            return None
        return self._keep(path, stamp, module)

    def _unsaved(self, path: str, data: bytes) -> SourceModule:
        known = self._known.get(path)
        if known is not None and known[1].data == data:
            return self._again(path)
        return self._keep(path, (-1, len(data)), SourceModule(path, data))

    def _again(self, path: str) -> SourceModule:
        """A module that is kept; it goes to the end."""
        kept = self._known[path] = self._known.pop(path)
        return kept[1]

    def _keep(self, path: str, stamp: tuple[int, int], module: SourceModule) -> SourceModule:
        self._forget(path)
        self._known[path] = (stamp, module)
        self._bytes += len(module.data)
        while self._bytes > self._most_bytes and len(self._known) > 1:
            self._forget(next(iter(self._known)))
        return module

    def _forget(self, path: str) -> None:
        known = self._known.pop(path, None)
        if known is not None:
            self._bytes -= len(known[1].data)


LIBRARY = Library()
"""The one of this process."""
