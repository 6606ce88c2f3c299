"""From the name of a module to its file, as Python would find it, inside one project."""

from __future__ import annotations

import os

from ..vocabulary.frameworks import KNOWN_BY_NAME
from .known_files import known_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


class Finder:
    """Finds the modules that the files of one project import."""

    def __init__(self, path: str, configured: tuple[str, ...] = ()) -> None:
        self._files = known_files()
        folder = self._files.real_folder(os.path.dirname(path))
        self.root = self._files.root_of(folder)
        self.roots = self._files.import_roots(folder, self.root, configured)
        self._probed: dict[str, bool] = {}
        self._searched: list[tuple[str, ...]] = []
        """The names of modules; most roots do not even have the first part of one."""
        self._absolute: dict[str, str | None] = {}

    @property
    def probed(self) -> dict[str, bool]:
        """Every path that was asked for, and whether a file is there: an answer depends on all."""
        absent = (
            os.path.join(root, *parts)
            for parts in self._searched
            for root in self._roots_without(parts)
        )
        return {path: False for stem in absent for path in _candidates(stem)} | self._probed

    def _roots_without(self, parts: tuple[str, ...]) -> Iterator[str]:
        """The roots that do not have the first part of a name, up to where the module is."""
        having = self._files.having(self.roots, parts[0])
        for root in self.roots:
            if root not in having:
                yield root
            elif self._file(os.path.join(root, *parts)) is not None:
                return

    def real_path(self, path: str) -> str:
        """The path of a file as it is found by those who import it."""
        folder, name = os.path.split(path)
        return os.path.join(self._files.real_folder(folder), name)

    def absolute(self, name: str) -> str | None:
        """The file of a module by its full name; None if it is not in the project."""
        if name not in self._absolute:
            self._absolute[name] = self._search(name)
        return self._absolute[name]

    def _search(self, name: str) -> str | None:
        parts = tuple(name.split("."))
        if parts[0] in KNOWN_BY_NAME or not all(map(str.isidentifier, parts)):
            return None
        self._searched.append(parts)
        for root in self._files.having(self.roots, parts[0]):
            found = self._file(os.path.join(root, *parts))
            if found is not None:
                return found
        return None

    def relative(self, importer: str, level: int, name: str) -> str | None:
        """The file of a module named from another one: `from ..engine import step`."""
        folder = importer
        for _ in range(level):
            folder = os.path.dirname(folder)
        return self._file(os.path.join(folder, *name.split("."))) if name else self._file(folder)

    def submodule(self, package: str, name: str) -> str | None:
        """A module beside a package's `__init__`."""
        if os.path.basename(package) != "__init__.py":
            return None
        return self._file(os.path.join(os.path.dirname(package), name))

    def _file(self, stem: str) -> str | None:
        for candidate in _candidates(stem):
            known = self._probed.get(candidate)
            if known is None:
                known = self._probed[candidate] = self._files.is_file(candidate, self.root)
            if known:
                return candidate
        return None


def is_in_project(path: str) -> bool:
    """Whether this is the name of a module in a folder, and not of a text from elsewhere."""
    folder = os.path.dirname(os.path.abspath(path))
    return path.endswith((".py", ".pyi", ".ipynb")) and os.path.isdir(folder)


def _candidates(stem: str) -> Iterator[str]:
    """A package goes before a module of its name."""
    yield os.path.join(stem, "__init__.py")
    yield stem + ".py"
