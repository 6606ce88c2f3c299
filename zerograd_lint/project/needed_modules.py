"""Read what a file needs of the other modules of its project: the parts, and how they connect."""

from __future__ import annotations

import os
from collections.abc import Set
from dataclasses import dataclass, field
from typing import NamedTuple

from ..config.settings import Settings
from ..prefilter import part_with
from ..prefilter.choice import choose_named
from ..prefilter.excerpt import Excerpt
from ..prefilter.outline import Outline
from ..prefilter.units import Unit
from ..vocabulary.calls import Effect
from .exports import Exports, Symbol
from .finder import Finder
from .imported_effects import ProjectEffects, bases_of
from .library import LIBRARY
from .source_module import SourceModule

_MOST_MODULES = 40
_MOST_LINES = 6_000
"""What is read of other modules for one file; the rest stays out of view."""


class Link(NamedTuple):
    """A name of one module that stands for a name of another one."""

    module: str
    """The other module, by its path in the project."""
    name: str


@dataclass(frozen=True, slots=True)
class ReadModule:
    """The part of a module that a file needs, and what its imported names stand for."""

    name: str
    """Its path in the project, which tells modules apart; empty for the file itself."""
    path: str
    part: Excerpt
    links: dict[str, Link]


@dataclass(slots=True)
class _Wanted:
    """What is wanted of one module so far."""

    names: set[str] = field(default_factory=set)
    kept: Set[Unit] = frozenset()
    used: dict[str, Symbol] = field(default_factory=dict)
    """The imported names that the kept units use."""


class NeededModules:
    """What one file needs of the other modules of its project."""

    def __init__(self, path: str, outline: Outline, settings: Settings) -> None:
        self._main = SourceModule.of_outline(os.path.abspath(path), outline)
        self._finder = Finder(self._main.path, settings.source_folders)
        self._exports = Exports(self._finder, LIBRARY)
        # A module may import the file back: then it means the text that is being checked.
        self._exports.consulted[self._main.path] = self._main
        self._effects = ProjectEffects(self._exports)
        self._methods: dict[str, Effect] | None = None

    @property
    def dependencies(self) -> dict[str, str]:
        """Every path that was looked for, with a digest of what was there; empty if nothing was."""
        return {
            path: self._exports.consulted[path].digest if path in self._exports.consulted else ""
            for path in self._finder.probed
            if path != self._main.path
        }

    def effects(self, unit: Unit) -> Effect:
        """What a unit of the file may do by running code of other modules."""
        if self._methods is None:
            self._methods = self._effects.of_methods(self._main)
        found = self._effects.of_unit(self._main, unit)
        for name in unit.attributes & self._methods.keys():
            found |= self._methods[name]
        return found

    def modules(self, kept: Set[Unit], part: Excerpt) -> list[ReadModule]:
        """The file itself with its links, then every module that is needed with its own."""
        wanted = self._wanted(kept)
        found = [self._read("", self._main, part, wanted)]
        lines = 0
        for module, want in wanted.items():
            if module is self._main:
                continue
            mentioned = self._mentioned(wanted)
            excerpt = part_with(want.kept, module.outline, mentioned)
            lines += len(excerpt.line_numbers)
            if lines > _MOST_LINES:
                break
            found.append(self._read(self._name(module), module, excerpt, wanted))
        names = {read.name for read in found}
        for read in found:
            for spelt in [s for s, link in read.links.items() if link.module not in names]:
                del read.links[spelt]
        return found

    def _wanted(self, kept: Set[Unit]) -> dict[SourceModule, _Wanted]:
        """What is wanted of which module, until nothing is added."""
        wanted = {self._main: _Wanted(kept=kept)}
        self._follow(self._main, wanted)
        size = -1
        while size != (size := sum(len(want.kept) + len(want.names) for want in wanted.values())):
            mentioned = self._mentioned(wanted)
            for module, want in list(wanted.items()):
                if module is not self._main:
                    outline = module.outline
                    want.kept = choose_named(outline.units, outline.graph, want.names, mentioned)
                    self._follow(module, wanted)
        return wanted

    def _follow(self, module: SourceModule, wanted: dict[SourceModule, _Wanted]) -> None:
        """Want what the kept units of a module use of others."""
        want = wanted[module]
        units = set(want.kept)
        if want.names & module.variables:
            units.add(module.outline.units.outside)
        for unit in sorted(units, key=lambda unit: unit.node.lineno if unit.node else 0):
            want.used.update(self._effects.used(module, unit))
        for name in want.names:
            for base in bases_of(Symbol(module, name)):
                symbol = self._exports.imported(module, base) if base else None
                if symbol is not None and symbol.name is not None:
                    want.used[base] = symbol
        for symbol in list(want.used.values()):
            known = wanted.get(symbol.module)
            if known is None and len(wanted) < _MOST_MODULES:
                known = wanted[symbol.module] = _Wanted()
            if known is not None and symbol.name is not None:
                known.names.add(symbol.name)

    def _mentioned(self, wanted: dict[SourceModule, _Wanted]) -> frozenset[str]:
        words = (unit.words for want in wanted.values() for unit in want.kept)
        names = (want.names for want in wanted.values())
        return frozenset().union(*words, *names)

    def _read(
        self,
        name: str,
        module: SourceModule,
        part: Excerpt,
        wanted: dict[SourceModule, _Wanted],
    ) -> ReadModule:
        links = {
            spelt: Link("" if other.module is self._main else self._name(other.module), other.name)
            for spelt, other in wanted[module].used.items()
            if other.name is not None and other.module in wanted
        }
        return ReadModule(name, module.path, part, links)

    def _name(self, module: SourceModule) -> str:
        return os.path.relpath(module.path, self._finder.root).replace(os.sep, "/")
