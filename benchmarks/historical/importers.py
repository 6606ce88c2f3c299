"""The files of a project that import a module: there a bug shows that only their loops make."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from zerograd_lint.project.finder import Finder
from zerograd_lint.project.import_table import ImportTable, import_table
from zerograd_lint.project.known_files import remembering

from .places import parse

MOST_IMPORTS = 3
"""How many imports away from a module its importers may be: as deep as the linter reads."""
MOST_FILES = 100
"""How many of them are linted, the nearest first."""
_PACKAGE = "__init__.py"


def importing_files(project: Path, file: str) -> list[str]:
    """The files that import a file of a project, directly or through others, nearest first.

    A package that passes names on is not counted as an import of its own. Notebooks are left out.
    """
    with remembering():
        return list(_Importers(project.resolve()).of(file))[:MOST_FILES]


class _Importers:
    """Follows the imports of one project backwards."""

    def __init__(self, project: Path) -> None:
        self._project = project
        self._texts = {
            str(path): path.read_bytes() for path in sorted(project.rglob("*.py")) if path.is_file()
        }
        self._imported: dict[str, frozenset[str]] = {}

    def of(self, file: str) -> Iterator[str]:
        start = str(self._project / file)
        known = {start}
        level = [start]
        for _ in range(MOST_IMPORTS):
            level = list(self._next(level, known))
            for path in level:
                yield os.path.relpath(path, self._project)

    def _next(self, modules: list[str], known: set[str]) -> Iterator[str]:
        """Those that import one of these modules; behind a package, those that import that."""
        pending = modules
        while pending:
            found = [path for path in self._direct(pending) if path not in known]
            known.update(found)
            yield from found
            pending = [path for path in found if path.endswith(_PACKAGE)]

    def _direct(self, modules: list[str]) -> Iterator[str]:
        stems = sorted({re.escape(_stem(module)) for module in modules})
        mentions = re.compile(rf"\b(?:{'|'.join(stems)})\b|\*|\bfrom\s+\.+\s+import".encode())
        wanted = set(modules)
        for path, text in self._texts.items():
            if mentions.search(text) and not wanted.isdisjoint(self._imports(path)):
                yield path

    def _imports(self, path: str) -> frozenset[str]:
        """The files of the project that a file imports."""
        if path not in self._imported:
            tree = parse(self._texts[path])
            table = import_table(tree) if tree is not None else ImportTable()
            self._imported[path] = frozenset(_files(path, table))
        return self._imported[path]


def _stem(module: str) -> str:
    path = Path(module)
    return path.parent.name if path.name == _PACKAGE else path.stem


def _files(path: str, table: ImportTable) -> Iterator[str]:
    finder = Finder(path)
    for way in (*table.stars, *(way for ways in table.names.values() for way in ways)):
        names = [way.module]
        if way.name is not None and way.name != "*":
            names.append(".".join(filter(None, (way.module, way.name))))
        for name in names:
            where = finder.relative(path, way.level, name) if way.level else finder.absolute(name)
            if where is not None:
                yield where
