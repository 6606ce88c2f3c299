"""The results of the last questions, kept by all that they follow from."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

_Result = TypeVar("_Result")


class Recent(Generic[_Result]):
    """Works out a result unless it is among the last few that were asked for."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._kept: dict[Hashable, _Result] = {}

    def get(self, key: Hashable, work_out: Callable[[], _Result]) -> _Result:
        """The result that follows from a key."""
        result = self._kept.pop(key) if key in self._kept else work_out()
        self._kept[key] = result
        while len(self._kept) > self.most:
            del self._kept[next(iter(self._kept))]
        return result
