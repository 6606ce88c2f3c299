"""Read what a file needs of the other modules of its project: the parts, and how they connect."""

from __future__ import annotations

import os
from collections.abc import Set
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from ..config.settings import Settings
from ..prefilter import part_with
from ..prefilter.choice import Needs, choose_named
from ..prefilter.excerpt import Excerpt
from ..prefilter.outline import Outline
from ..prefilter.units import Unit
from ..vocabulary.calls import Effect
from .exports import Exports, Symbol
from .finder import Finder
from .imported_effects import ProjectEffects
from .library import LIBRARY
from .source_module import SourceModule
from .stubs import stubs
from .taking_part import takes_part

_MAX_DEPTH = 3
"""How many imports away modules are read."""
_MOST_MODULES = 16
_MOST_LINES = 450
"""What is read of other modules for one file: first those that it inherits from, then the nearest.

The rest stays out of view."""
_MOST_INHERITED_LINES = 750
"""What is read of the modules that it inherits from: without a base, nothing is known of `self`."""


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
    effects: Effect = Effect.NOTHING
    """What its part could do to gradients; of the file itself that is not said."""


@dataclass(slots=True)
class _Wanted:
    """What is wanted of one module so far."""

    names: set[str] = field(default_factory=set)
    kept: Set[Unit] = frozenset()
    matters: bool = False
    """One of the names acts on gradients, or makes or passes on what does."""
    used: dict[str, Symbol] = field(default_factory=dict)
    """The imported names that the kept units use."""
    bases: set[Symbol] = field(default_factory=set)
    """Those of them that its classes inherit from."""
    inherited: bool = False
    """Classes of the file inherit from it, maybe by way of others."""


class NeededModules:
    """What one file needs of the other modules of its project."""

    def __init__(self, path: str, outline: Outline, settings: Settings) -> None:
        path = os.path.abspath(path)
        self._finder = Finder(path, settings.source_folders)
        self._main = SourceModule.of_outline(self._finder.real_path(path), outline)
        self._exports = Exports(self._finder, LIBRARY)
        # A module may import the file back: then it means the text that is being checked.
        self._exports.consulted[self._main.path] = self._main
        self._effects = ProjectEffects(self._exports)
        self._methods: dict[str, Effect] | None = None
        self._of_units: dict[Unit, Effect] = {}

    @property
    def imports_any(self) -> bool:
        """Whether the file imports any module of its project."""
        names = self._exports.project_names(self._main)
        return names is None or bool(names)

    @property
    def dependencies(self) -> dict[str, str]:
        """Every module that was read, with its digest, and every path at which there was none.

        What was found and not opened has no part in the answer.
        """
        read = {path: module.digest for path, module in self._exports.consulted.items()}
        missing = {path: "" for path, is_there in self._finder.probed.items() if not is_there}
        return {path: was for path, was in (missing | read).items() if path != self._main.path}

    @property
    def looked_into(self) -> list[str]:
        """The modules that were searched for names the file uses, by their paths in the project."""
        others = (m for m in self._exports.consulted.values() if m is not self._main)
        return sorted(self._name(module) for module in others)

    @property
    def outside(self) -> list[str]:
        """The modules that the file imports and that are not in its project."""
        return self._exports.outside(self._main)

    @property
    def act(self) -> bool:
        """Whether any code of other modules that the file may run does something to gradients."""
        units = self._main.outline.units
        return any(self.effects(unit) for unit in (units.outside, *units.functions))

    def effects(self, unit: Unit) -> Effect:
        """What a unit of the file may do by running code of other modules."""
        if self._methods is None:
            self._methods = self._effects.of_methods(self._main)
        if unit not in self._of_units:
            found = self._effects.of_unit(self._main, unit)
            for name in unit.attributes & self._methods.keys():
                found |= self._methods[name]
            self._of_units[unit] = found
        return self._of_units[unit]

    def add_findings(self, needs: Needs, acting: Set[Unit]) -> bool:
        """Whether they may add a finding to a file without any; `acting` are its units that act by
        themselves."""
        return takes_part(self._main, self._effects, needs, acting)

    def modules(self, kept: Set[Unit], part: Excerpt) -> list[ReadModule]:
        """The file itself with its links, then every module that is needed with its own.

        `part` holds what the file needs of itself.
        """
        if not kept:
            return [ReadModule("", self._main.path, part, {})]
        wanted = self._wanted(kept)
        if wanted[self._main].names:  # a module imports the file back
            outline, names = self._main.outline, wanted[self._main].names
            part = replace(part_with(kept, outline, names), acting=part.acting)
        mentioned = frozenset().union(*(unit.words for unit in kept))
        found = [ReadModule("", self._main.path, part, self._links(self._main, wanted))]
        lines = 0
        for module, want in sorted(wanted.items(), key=lambda item: not item[1].inherited):
            if module is not self._main:
                excerpt = self._excerpt(module, want, mentioned)
                most = _MOST_INHERITED_LINES if want.inherited else _MOST_LINES
                if lines + len(excerpt.line_numbers) > most:
                    continue
                lines += len(excerpt.line_numbers)
                links = self._links(module, wanted)
                effects = Effect.NOTHING
                for unit in want.kept:
                    effects |= unit.effects
                found.append(ReadModule(self._name(module), module.path, excerpt, links, effects))
        names = {read.name for read in found}
        for read in found:
            for spelt in [s for s, link in read.links.items() if link.module not in names]:
                del read.links[spelt]
        return found

    def _wanted(self, kept: Set[Unit]) -> dict[SourceModule, _Wanted]:
        """What is wanted of which module: level by level, as far as imports are followed."""
        wanted = {self._main: _Wanted(kept=kept)}
        mentioned = frozenset().union(*(unit.words for unit in kept))
        level = [self._main]
        for _ in range(_MAX_DEPTH):
            changed: dict[SourceModule, None] = {}
            for module in level:
                for symbol in self._follow(module, wanted[module]).values():
                    want = wanted.get(symbol.module)
                    if want is None and len(wanted) < _MOST_MODULES:
                        want = wanted[symbol.module] = _Wanted()
                    if want is not None and symbol in wanted[module].bases:
                        want.inherited |= module is self._main or wanted[module].inherited
                    if want is not None and symbol.name and symbol.name not in want.names:
                        want.names.add(symbol.name)
                        if symbol.module is not self._main:
                            changed[symbol.module] = None
            for module in changed:
                want = wanted[module]
                want.matters = any(
                    self._effects.matters(Symbol(module, name)) for name in want.names
                )
                if want.matters:
                    outline = module.outline
                    want.kept = choose_named(outline.units, outline.graph, want.names, mentioned)
            level = list(changed)
        return wanted

    def _follow(self, module: SourceModule, want: _Wanted) -> dict[str, Symbol]:
        """What the kept units of a module use of others, and what its classes inherit."""
        if want.names and all(module.definitions.get(name) for name in want.names):
            if not want.matters:
                return {}  # functions that leave gradients alone
        units = set(want.kept)
        if want.names & module.variables:
            units.add(module.outline.units.outside)
        in_order = sorted(units, key=lambda unit: unit.node.lineno if unit.node else 0)
        for unit in in_order:
            want.used.update(self._effects.used(module, unit))
        want.used.update(self._effects.tested(module, in_order))
        families = want.names.union(*(unit.owner.family for unit in units if unit.owner))
        for owner in module.outline.units.classes:
            if not owner.family.isdisjoint(families):
                bases = self._effects.bases(module, owner.spelt_bases)
                want.used.update(bases)
                want.bases.update(bases.values())
        return want.used

    def _excerpt(self, module: SourceModule, want: _Wanted, mentioned: Set[str]) -> Excerpt:
        if not want.matters:
            return stubs(module, want.names, mentioned)
        part = part_with(want.kept, module.outline, mentioned)
        # What it clears may be cleared at any time; the rest counts where the file runs it.
        clearing = frozenset(unit.name for unit in want.kept if Effect.ZERO & unit.effects)
        return replace(part, acting=clearing)

    def _links(self, module: SourceModule, wanted: dict[SourceModule, _Wanted]) -> dict[str, Link]:
        return {
            spelt: Link("" if other.module is self._main else self._name(other.module), other.name)
            for spelt, other in wanted[module].used.items()
            if other.name is not None and other.module in wanted
        }

    def _name(self, module: SourceModule) -> str:
        return os.path.relpath(module.path, self._finder.root).replace(os.sep, "/")
