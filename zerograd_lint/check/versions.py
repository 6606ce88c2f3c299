"""The last version of each file, from which the next one is outlined faster."""

from __future__ import annotations

from ..prefilter.outline import Outline


class Versions:
    """Keeps the outlines of the files that were checked last; none unless it is told to."""

    def __init__(self) -> None:
        self.most = 0
        self._last: dict[str, Outline] = {}

    def outline(self, filename: str, text: str) -> Outline:
        """The outline of a file's newest text."""
        if not self.most:
            return Outline(text)
        earlier = self._last.pop(filename, None)
        outline = Outline(text, earlier.remains if earlier is not None else None)
        self._last[filename] = outline
        while len(self._last) > self.most:
            del self._last[next(iter(self._last))]
        return outline


VERSIONS = Versions()
"""Those of this process: a language server checks the same files again after every key."""
