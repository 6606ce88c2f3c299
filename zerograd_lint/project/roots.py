"""Where a project begins, and the folders that absolute imports of a file start from."""

from __future__ import annotations

import os
from collections.abc import Iterator

_MARKERS = (".git", ".hg", "pyproject.toml", "setup.py", "setup.cfg")
_CLONE_MARKERS = _MARKERS[:2]
"""A package may hold a `setup.py` as a template for others: there, only a clone begins."""


def is_marked(folder: str) -> bool:
    """Whether a project begins in a folder, by what stands in it."""
    inner = os.path.isfile(os.path.join(folder, "__init__.py"))
    markers = _CLONE_MARKERS if inner else _MARKERS
    return any(os.path.exists(os.path.join(folder, marker)) for marker in markers)


def outside_packages(folder: str) -> str:
    """The first folder, this one or one above, that is not a package."""
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        parent = os.path.dirname(folder)
        if parent == folder:
            break
        folder = parent
    return folder


def import_roots(folder: str, root: str, configured: tuple[str, ...]) -> tuple[str, ...]:
    """The folders that an absolute import may start from, first come first served.

    A script finds what stands beside it, a module what stands beside its package; then come the
    configured folders, the project's own and its `src`. A module without a package around it is
    imported from a folder above, the one that the script which is run stands in.
    """
    candidates = [
        outside_packages(folder),
        *configured,
        root,
        os.path.join(root, "src"),
        folder,
        *_above(folder, root),
    ]
    inside = [path for path in dict.fromkeys(candidates) if is_inside(path, root)]
    return tuple(path for path in inside if os.path.isdir(path))


def _above(folder: str, root: str) -> Iterator[str]:
    """The folders between a folder and the root, the nearest first."""
    while folder != root and is_inside(folder, root):
        folder = os.path.dirname(folder)
        yield folder


def is_inside(path: str, root: str) -> bool:
    """Whether a path is the root or below it."""
    return path == root or path.startswith(root.rstrip(os.sep) + os.sep)
