"""A copy of the folder that a program works in, so that the program changes nothing of the user's.

Files are copied up to a budget; what is beyond it is linked, and the program's process makes a
link its own file before it writes there (`child/own_files.py`).
"""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import tokenize
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from ..child.own_files import OwnFolders, copy_of

_MOST_FILES = 2_000
_MOST_BYTES = 64 * 2**20
_LARGE = 8 * 2**20
"""A larger file is linked even if the budget would do: it is data, or a checkpoint."""


@dataclass(frozen=True, slots=True)
class WorkingCopy:
    """Folders and their copies."""

    copies: dict[str, str] = field(default_factory=dict)
    """The copy of each folder."""

    def of(self, path: str) -> str:
        """Where this file is in the copy; the path itself if it is in none of the folders."""
        return copy_of(path, self.copies)

    def write(self, file: str, text: str) -> None:
        """Put this text into the copy of a Python file, in the encoding that it declares."""
        place = Path(self.of(file))
        if str(place) == file:
            return
        encoding, _ = tokenize.detect_encoding(io.BytesIO(text.encode()).readline)
        OwnFolders(self.copies, "").make_own(place)
        place.write_text(text, encoding=encoding)

    def original_names(self, text: str) -> str:
        """A text of the program's with the places of the original files in it."""
        for original, copy in self.copies.items():
            text = text.replace(copy, original)
        return text


def make(folders: Iterable[Path], at: Path) -> WorkingCopy:
    """Copy each folder to a place of its own."""
    copies: dict[str, str] = {}
    for number, folder in enumerate(folders):
        copies[str(folder)] = str(at / str(number) / (folder.name or "root"))
        _copy(folder, Path(copies[str(folder)]))
    return WorkingCopy(copies)


def _copy(original: Path, copy: Path) -> None:
    files, size = _MOST_FILES, _MOST_BYTES
    copy.mkdir(parents=True)
    waiting = deque([(original, copy)])
    while waiting:
        source, target = waiting.popleft()
        for entry in _entries(source):
            place = target / entry.name
            if entry.is_symlink():
                _copy_link(Path(entry.path), place, original, copy)
            elif entry.is_dir():
                if files <= 0 or size <= 0 or _is_left_alone(Path(entry.path), copy):
                    place.symlink_to(entry.path)
                else:
                    place.mkdir()
                    waiting.append((Path(entry.path), place))
            elif entry.is_file():
                length = entry.stat().st_size
                if files <= 0 or length > min(size, _LARGE):
                    place.symlink_to(entry.path)
                else:
                    _copy_file(entry.path, place)
                    files, size = files - 1, size - length


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        return sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return []


def _copy_file(source: str, place: Path) -> None:
    with contextlib.suppress(OSError):  # not ours to read, so the program cannot read it either
        shutil.copy2(source, place)


def _copy_link(link: Path, place: Path, original: Path, copy: Path) -> None:
    """A link to something in the folder leads to the copy of it."""
    aim = Path(os.path.realpath(link))
    place.symlink_to(copy / aim.relative_to(original) if aim.is_relative_to(original) else aim)


def _is_left_alone(folder: Path, copy: Path) -> bool:
    """Whether programs only read there: environments and repositories; or it holds the copy."""
    is_environment = (folder / "pyvenv.cfg").exists() or (folder / "conda-meta").exists()
    return is_environment or folder.name == ".git" or copy.is_relative_to(folder)
