"""Which files there are, asked once in a run: the files of a tree look for the same modules."""

from __future__ import annotations

import os
import stat
import sys
from contextlib import contextmanager

from .roots import is_inside, project_root

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class KnownFiles:
    """Answers about the file system, each remembered from the first time it is asked for."""

    def __init__(self) -> None:
        self._roots: dict[str, str] = {}
        self._real_folders: dict[str, str] = {}
        self._files: dict[tuple[str, str], bool] = {}
        self._folders: dict[tuple[str, str], bool] = {}
        self._names: dict[str, frozenset[str]] = {}

    def real_folder(self, folder: str) -> str:
        """A folder without links on the way to it."""
        if folder not in self._real_folders:
            self._real_folders[folder] = os.path.realpath(folder)
        return self._real_folders[folder]

    def root_of(self, folder: str) -> str:
        """The project that a folder belongs to."""
        if folder not in self._roots:
            self._roots[folder] = os.path.realpath(project_root(folder))
        return self._roots[folder]

    def is_file(self, path: str, root: str) -> bool:
        """Whether a file of this very name is there, with no link that leads out of a folder."""
        key = (path, root)
        if key not in self._files:
            parent = os.path.dirname(path)
            self._files[key] = self._is_folder(parent, root) and self._is(path, root, stat.S_ISREG)
        return self._files[key]

    def _is_folder(self, path: str, root: str) -> bool:
        if path == root:
            return True
        key = (path, root)
        if key not in self._folders:
            self._folders[key] = (
                is_inside(path, root)
                and self._is_folder(os.path.dirname(path), root)
                and self._is(path, root, stat.S_ISDIR)
            )
        return self._folders[key]

    def _is(self, path: str, root: str, is_kind: Callable[[int], bool]) -> bool:
        try:
            mode = os.lstat(path).st_mode
            if stat.S_ISLNK(mode):
                if not is_inside(os.path.realpath(path), root):
                    return False
                mode = os.stat(path).st_mode
        except (OSError, ValueError):
            return False
        return is_kind(mode) and self._is_spelt_so(path)

    def _is_spelt_so(self, path: str) -> bool:
        """Whether this is the very name: on some systems `Engine.py` opens `engine.py`."""
        if sys.platform not in ("darwin", "win32"):
            return True
        folder, name = os.path.split(path)
        if folder not in self._names:
            try:
                self._names[folder] = frozenset(os.listdir(folder))
            except OSError:
                self._names[folder] = frozenset()
        return name in self._names[folder]


_remembered: list[KnownFiles] = []


@contextmanager
def remembering() -> Iterator[None]:
    """While this lasts, what was found once holds for every file that is checked."""
    _remembered.append(KnownFiles())
    try:
        yield
    finally:
        _remembered.pop()


def known_files() -> KnownFiles:
    """What the run remembers; outside of one, nothing yet."""
    return _remembered[-1] if _remembered else KnownFiles()
