"""Keeps a program's writing inside the copy of its folder, where some files are only linked."""

from __future__ import annotations

import contextlib
import functools
import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_CHANGED_ENTRIES = {
    "os.mkdir": slice(0, 1),
    "os.remove": slice(0, 1),
    "os.rmdir": slice(0, 1),
    "os.rename": slice(0, 2),
    "os.link": slice(1, 2),
    "os.symlink": slice(1, 2),
}
"""Which arguments of an event name an entry of a folder that is about to change."""
_CHANGES_FILE = frozenset({"os.truncate", "os.chmod", "os.utime", "shutil.rmtree"})


class OwnFolders:
    """The copies of folders, in which links are replaced by what they lead to."""

    def __init__(self, copies: Mapping[str, str], free: str) -> None:
        self._copies = copies
        self._free = free
        """All of the run's own files are below; it may lie in one of the original folders."""

    def make_own(self, path: object) -> None:
        """Replace the links on the way to this file, which is about to be changed."""
        if not isinstance(path, (str, bytes, os.PathLike)):
            return
        absolute = os.path.abspath(os.fsdecode(path))  # noqa: PTH100
        for copy in self._copies.values():
            if _is_in(absolute, copy):
                _replace_links(Path(copy), Path(absolute).relative_to(copy))
                return
        if _is_in(absolute, self._free):
            return
        for original in self._copies:
            if _is_in(absolute, original) and not _is_in(str(Path.home()), original):
                raise PermissionError(
                    f"verify leaves {absolute} as it is: it works on a copy of that folder"
                )


def copy_of(path: str, copies: Mapping[str, str]) -> str:
    """Where this file is in the copies; the path itself if it is in none of the folders."""
    for original, copy in copies.items():
        if _is_in(path, original):
            return copy + path[len(original.rstrip(os.sep)) :]
    return path


def guard(folders: OwnFolders) -> None:
    """Make what is linked in the copies the program's own before it is changed."""

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, _, flags = arguments
            if isinstance(flags, int) and flags & _WRITING:
                folders.make_own(path)
        elif event in _CHANGES_FILE:
            folders.make_own(arguments[0])
        elif event in _CHANGED_ENTRIES:
            for path in arguments[_CHANGED_ENTRIES[event]]:
                if isinstance(path, (str, bytes, os.PathLike)):
                    folders.make_own(os.path.dirname(os.fsdecode(path)))  # noqa: PTH120

    sys.addaudithook(hook)


def guard_saving(folders: OwnFolders) -> None:
    """`torch.save` writes without Python's knowing: prepare its file before it does."""
    import torch

    save = torch.save

    @functools.wraps(save)
    def saving(obj: object, f: Any, *args: Any, **kwargs: Any) -> None:
        folders.make_own(f)
        save(obj, f, *args, **kwargs)

    torch.save = saving


def _is_in(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _replace_links(root: Path, inner: Path) -> None:
    place = root
    for part in inner.parts:
        place = place / part
        if place.is_symlink() and not _is_in(os.path.realpath(place), str(root)):
            with contextlib.suppress(FileNotFoundError):
                _replace(place)


def _replace(link: Path) -> None:
    aim = Path(os.path.realpath(link))
    if aim.is_dir():
        entries = list(aim.iterdir())
        link.unlink()
        link.mkdir()
        for entry in entries:
            (link / entry.name).symlink_to(entry)
    elif aim.exists():
        copied = link.with_name(f".{link.name}.own")
        shutil.copy2(aim, copied)
        copied.replace(link)
