"""What a name of a module stands for: a definition, here or wherever it is imported from."""

from __future__ import annotations

from typing import NamedTuple

from .finder import Finder
from .import_table import Imported
from .library import Library
from .source_module import SourceModule

_MAX_DEPTH = 8
_MOST_MODULES = 24
"""Modules that are looked into for one file; what the others define is not known."""


class Symbol(NamedTuple):
    """A function, class or variable where it is defined; without a name, a module itself."""

    module: SourceModule
    name: str | None


class Exports:
    """Follows imports and re-exports through the modules of one project."""

    def __init__(self, finder: Finder, library: Library) -> None:
        self._finder = finder
        self._library = library
        self._imported: dict[tuple[SourceModule, str], Symbol | None] = {}
        self._project_names: dict[SourceModule, frozenset[str] | None] = {}
        self.consulted: dict[str, SourceModule] = {}
        """Every module that was asked for anything."""

    def imported(self, importer: SourceModule, spelt: str) -> Symbol | None:
        """What a name that a module imports stands for; `engine.step` after `import engine`."""
        key = (importer, spelt)
        if key not in self._imported:
            self._imported[key] = self._resolve(importer, spelt)
        return self._imported[key]

    def project_names(self, importer: SourceModule) -> frozenset[str] | None:
        """The first words of all names that a module imports from its project; None if those are
        not known: `from engine import *`."""
        if importer not in self._project_names:
            self._project_names[importer] = self._find_names(importer)
        return self._project_names[importer]

    def _find_names(self, importer: SourceModule) -> frozenset[str] | None:
        imports = importer.imports
        if any(self._find(importer, star) is not None for star in imports.stars):
            return None
        return frozenset(
            spelt.partition(".")[0]
            for spelt, ways in imports.names.items()
            if any(self._is_in_project(importer, way) for way in ways)
        )

    def outside(self, importer: SourceModule) -> list[str]:
        """The modules that a module imports and that its project does not have."""
        imports = importer.imports
        every = [way for ways in imports.names.values() for way in ways] + imports.stars
        return sorted(
            {
                "." * way.level + way.module
                for way in every
                if not self._is_in_project(importer, way)
            }
        )

    def _is_in_project(self, importer: SourceModule, way: Imported) -> bool:
        return self._find(importer, way) is not None or (
            way.name is not None and self._find(importer, _as_module(way)) is not None
        )

    def _resolve(self, importer: SourceModule, spelt: str) -> Symbol | None:
        ways = importer.imports.names.get(spelt)
        if ways is not None:
            return self._agreed(importer, ways, 0)
        head, dot, last = spelt.rpartition(".")
        if not dot:
            return self._by_star(importer, spelt, 0)
        base = self.imported(importer, head)
        return self.lookup(base.module, last) if base is not None and base.name is None else None

    def lookup(self, module: SourceModule, name: str, depth: int = 0) -> Symbol | None:
        """What a name stands for in a module; None if it is not there, or there in two ways."""
        if depth > _MAX_DEPTH:
            return None
        if name in module.definitions:
            return Symbol(module, name)
        if module.may_have(name):
            ways = module.imports.names.get(name)
            if name in module.defined:
                return Symbol(module, name) if ways is None else None
            if ways is not None:
                return self._agreed(module, ways, depth)
        submodule = self._finder.submodule(module.path, name)
        if submodule is not None:
            return self._module(submodule)
        return self._by_star(module, name, depth) if module.may_have(name) else None

    def _agreed(self, importer: SourceModule, ways: set[Imported], depth: int) -> Symbol | None:
        """What all imports of a name, in all branches, lead to."""
        found = {self._follow(importer, way, depth) for way in ways}
        return found.pop() if len(found) == 1 else None

    def _follow(self, importer: SourceModule, way: Imported, depth: int) -> Symbol | None:
        path = self._find(importer, way)
        module = self._module(path) if path is not None else None
        if way.name is None:
            return module
        if module is None or module.module is importer:
            # A namespace package has no file of its own, only modules in it; and a package that
            # imports from itself means one of its modules: `from . import engine`.
            path = self._find(importer, _as_module(way))
            return self._module(path) if path is not None else None
        return self.lookup(module.module, way.name, depth + 1)

    def _by_star(self, importer: SourceModule, name: str, depth: int) -> Symbol | None:
        for star in importer.imports.stars:
            path = self._find(importer, star)
            module = self._module(path) if path is not None else None
            if module is not None and module.module.gives_to_star(name):
                found = self.lookup(module.module, name, depth + 1)
                if found is not None:
                    return found
        return None

    def _find(self, importer: SourceModule, way: Imported) -> str | None:
        if way.level:
            return self._finder.relative(importer.path, way.level, way.module)
        return self._finder.absolute(way.module)

    def _module(self, path: str) -> Symbol | None:
        module = self.consulted.get(path)
        if module is None and len(self.consulted) < _MOST_MODULES:
            module = self._library.module(path)
        if module is None:
            return None
        self.consulted[path] = module
        return Symbol(module, None)


def _as_module(way: Imported) -> Imported:
    """The same import, if what it names is a module."""
    return Imported(way.level, ".".join(filter(None, (way.module, way.name))), None)
