"""The gate for files that train by calling other modules of their project.

Such a file may hold no backward and no step itself: only a loop, and an import of what has both.
It is a search over bytes as well, over those of the modules that a file imports.
"""

from __future__ import annotations

import os
import re

from ..project.finder import Finder
from ..vocabulary.frameworks import FRAMEWORKS
from .gate import can_train_bytes

_MAX_DEPTH = 2
"""Imports between a loop and what trains in it: more are never followed to a finding."""
_LOOPS = (b"for ", b"while ")
_FRAMEWORK_WORDS = tuple(word.encode() for word in FRAMEWORKS)
# In a notebook every line stands in quotes.
_IMPORT = re.compile(
    rb'^[ \t"]*(?:from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+([^\r\n#]*)|import[ \t]+([^\r\n#]*))',
    re.MULTILINE,
)
_NAME = re.compile(rb"[\w.]+")

_known: dict[tuple[str, int, int, tuple[str, ...]], bool] = {}
"""By path, stamp and what its imports start from: whether a module trains, or what it imports."""


def may_run_training(path: str, data: bytes, source_folders: tuple[str, ...] = ()) -> bool:
    """Whether a loop of this file could run a training step of another module."""
    if not any(word in data for word in _FRAMEWORK_WORDS) or not any(w in data for w in _LOOPS):
        return False
    return _imports_training(path, data, Finder(os.path.abspath(path), source_folders), 0)


def _imports_training(path: str, data: bytes, finder: Finder, depth: int) -> bool:
    return any(_trains(found, finder, depth + 1) for found in _imported(path, data, finder))


def _imported(path: str, data: bytes, finder: Finder) -> list[str]:
    """The files of the project's modules that a file may import."""
    found: dict[str, None] = {}
    for dots, module, names, modules in _IMPORT.findall(data):
        if modules:
            wanted = [(0, part.split()[0]) for part in modules.split(b",") if part.strip()]
        else:
            inner = [b".".join(filter(None, (module, name))) for name in _NAME.findall(names)]
            wanted = [(len(dots), name) for name in (module, *inner)]
        for level, name in wanted:
            text = name.decode("ascii", "ignore")
            where = finder.relative(path, level, text) if level else finder.absolute(text)
            if where is not None and where != path:
                found[where] = None
    return list(found)


def _trains(path: str, finder: Finder, depth: int) -> bool:
    try:
        status = os.stat(path)
        key = (path, status.st_mtime_ns, depth, finder.roots)
        known = _known.get(key)
        if known is None:
            with open(path, "rb", 0) as file:
                data = file.read()
            known = can_train_bytes(data) or (
                depth < _MAX_DEPTH and _imports_training(path, data, finder, depth)
            )
            _known[key] = known
    except (OSError, ValueError, MemoryError):
        return False
    return known
