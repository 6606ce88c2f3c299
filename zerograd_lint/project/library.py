"""The modules that have been read, each once until its file changes."""

from __future__ import annotations

import os

from .source_module import SourceModule
from .unsaved_texts import UNSAVED

_MOST_KEPT = 4_000


class Library:
    """Reads modules and remembers them for the next file that imports them."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[tuple[int, int], SourceModule]] = {}

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
                return known[1]
            with open(path, "rb", 0) as file:
                module = SourceModule(path, file.read())
        except (OSError, ValueError, MemoryError):
            return None
        return self._keep(path, stamp, module)

    def _unsaved(self, path: str, data: bytes) -> SourceModule:
        known = self._known.get(path)
        if known is not None and known[1].data == data:
            return known[1]
        return self._keep(path, (-1, len(data)), SourceModule(path, data))

    def _keep(self, path: str, stamp: tuple[int, int], module: SourceModule) -> SourceModule:
        if len(self._known) >= _MOST_KEPT:
            self._known.clear()
        self._known[path] = (stamp, module)
        return module


LIBRARY = Library()
"""The one of this process."""
