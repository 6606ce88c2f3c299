"""When Python looks for garbage: never within a file, and rarely between files."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_OBJECTS = 2_000_000
"""How many come together before it looks among them: those of about a hundred files that train, and
of the modules of their projects, which are no garbage."""


@contextmanager
def no_garbage_collection() -> Iterator[None]:
    """A syntax tree is large and free of cycles: collecting in the middle only costs time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


@contextmanager
def rare_garbage_collection() -> Iterator[None]:
    """For a run over many files, each of which leaves little behind.

    Looking through what the last one still holds, after each of them, took a seventh of the time.
    """
    usual = gc.get_threshold()
    gc.set_threshold(_OBJECTS, *usual[1:])
    try:
        yield
    finally:
        # Otherwise all that is left would be looked through at once, often just before the end:
        # this way it waits, with what is oldest, for the next full collection.
        gc.freeze()
        gc.unfreeze()
        gc.set_threshold(*usual)
