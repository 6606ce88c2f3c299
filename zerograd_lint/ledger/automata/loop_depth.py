"""How many loops a path has entered and left, counted up to a limit so that states stay few."""

from __future__ import annotations

_LIMIT = 8


def deeper(depth: int) -> int:
    """The depth after a loop is entered."""
    return min(depth + 1, _LIMIT)


def shallower(depth: int) -> int:
    """The depth after a loop is left; below zero outside the loops the path started in."""
    return max(depth - 1, -_LIMIT)
