"""Which files there are, asked once in a run: the files of a tree look for the same modules."""

from __future__ import annotations

import os
import stat
import sys
from contextlib import contextmanager

from .roots import import_roots, is_inside, is_marked, outside_packages

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class KnownFiles:
    """Answers about the file system, each remembered from the first time it is asked for."""

    def __init__(self) -> None:
        self._marked: dict[str, str | None] = {}
        self._roots: dict[str, str] = {}
        self._import_roots: dict[tuple[str, str, tuple[str, ...]], tuple[str, ...]] = {}
        self._real_folders: dict[str, str] = {}
        self._files: dict[tuple[str, str], bool] = {}
        self._folders: dict[tuple[str, str], bool] = {}
        self._names: dict[str, frozenset[str] | None] = {}
        self._having: dict[tuple[tuple[str, ...], str], tuple[str, ...]] = {}

    def real_folder(self, folder: str) -> str:
        """A folder without links on the way to it."""
        if folder not in self._real_folders:
            self._real_folders[folder] = os.path.realpath(folder)
        return self._real_folders[folder]

    def root_of(self, folder: str) -> str:
        """The project that a folder belongs to; nothing outside is opened.

        Without any sign of a project it is the folder that the outermost package stands in.
        """
        if folder not in self._roots:
            found = self._nearest_marked(folder) or outside_packages(folder)
            self._roots[folder] = os.path.realpath(found)
        return self._roots[folder]

    def _nearest_marked(self, folder: str) -> str | None:
        """The nearest folder that holds a project, this one or one above."""
        above = [folder]
        while above[-1] not in self._marked:
            current = above[-1]
            parent = os.path.dirname(current)
            if is_marked(current):
                self._marked[current] = current
            elif parent == current:
                self._marked[current] = None
            else:
                above.append(parent)
        found = self._marked[above[-1]]
        self._marked.update(dict.fromkeys(above, found))
        return found

    def import_roots(self, folder: str, root: str, configured: tuple[str, ...]) -> tuple[str, ...]:
        """The folders that an absolute import of a file in a folder may start from."""
        key = (folder, root, configured)
        if key not in self._import_roots:
            self._import_roots[key] = import_roots(folder, root, configured)
        return self._import_roots[key]

    def having(self, folders: tuple[str, ...], name: str) -> tuple[str, ...]:
        """Those of some folders in which there may be a package or module of a name."""
        key = (folders, name)
        if key not in self._having:
            self._having[key] = tuple(each for each in folders if self._may_have(each, name))
        return self._having[key]

    def _may_have(self, folder: str, name: str) -> bool:
        names = self._names_in(folder)
        return names is None or name in names or name + ".py" in names

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
        return name in (self._names_in(folder) or ())

    def _names_in(self, folder: str) -> frozenset[str] | None:
        """What stands in a folder; None if that cannot be listed."""
        if folder not in self._names:
            try:
                self._names[folder] = frozenset(os.listdir(folder))
            except OSError:
                self._names[folder] = None
        return self._names[folder]


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
