"""What names that a module imports from its project may do to gradients when they run."""

from __future__ import annotations

from collections.abc import Iterator

from ..prefilter.units import Unit
from ..vocabulary.calls import Effect
from .exports import Exports, Symbol
from .source_module import SourceModule

_MOST_MODULES = 60
"""Beyond these, what further imports do is left out: nothing is reported because of them."""


class ProjectEffects:
    """Follows what runs what across modules, as generously as inside one."""

    def __init__(self, exports: Exports) -> None:
        self._exports = exports
        self._known: dict[Symbol, Effect] = {}
        self._used: dict[Unit, list[tuple[str, Symbol]]] = {}

    def of_unit(self, module: SourceModule, unit: Unit) -> Effect:
        """What a unit may do by what it uses of other modules."""
        found = Effect.NOTHING
        for _, symbol in self.used(module, unit):
            found |= self.of_symbol(symbol)
        if unit.owner is not None:
            for base in unit.owner.spelt_bases:
                found |= self._of_name(module, base)
        return found

    def of_methods(self, module: SourceModule) -> dict[str, Effect]:
        """By name of a method: what the imported classes that have it may do.

        An object that one function makes another may use, without a word of its class.
        """
        found: dict[str, Effect] = {}
        units = module.outline.units
        for unit in (units.outside, *units.functions):
            for _, symbol in self.used(module, unit):
                effect = self.of_symbol(symbol)
                for method in units_named(symbol) if effect else ():
                    if method.owner is not None:
                        found[method.name] = found.get(method.name, effect) | effect
        return found

    def used(self, module: SourceModule, unit: Unit) -> list[tuple[str, Symbol]]:
        """The names of other modules that a unit uses, as it spells them."""
        if unit not in self._used:
            found = (
                (spelt, self._exports.imported(module, spelt)) for spelt in _spelt(module, unit)
            )
            self._used[unit] = [(s, symbol) for s, symbol in found if symbol and symbol.name]
        return self._used[unit]

    def of_symbol(self, symbol: Symbol) -> Effect:
        """What using a function or a class may do."""
        known = self._known.get(symbol)
        if known is not None:
            return known
        # On the way round a circle of imports nothing is added.
        self._known[symbol] = Effect.NOTHING
        if len(self._exports.consulted) > _MOST_MODULES:
            return Effect.NOTHING
        outline = symbol.module.outline
        found = Effect.NOTHING
        for unit in outline.graph.reached_from(units_named(symbol)):
            found |= unit.effects | self.of_unit(symbol.module, unit)
        for base in bases_of(symbol):
            found |= self._of_name(symbol.module, base)
        self._known[symbol] = found
        return found

    def _of_name(self, module: SourceModule, spelt: str) -> Effect:
        symbol = self._exports.imported(module, spelt) if spelt else None
        if symbol is None or symbol.name is None:
            return Effect.NOTHING
        return self.of_symbol(symbol)


def units_named(symbol: Symbol) -> Iterator[Unit]:
    """The function of a symbol, or the methods of its class and of the relatives of that."""
    for unit in symbol.module.outline.units.functions:
        if unit.owner is None:
            if unit.name == symbol.name:
                yield unit
        elif symbol.name in unit.owner.family:
            yield unit


def bases_of(symbol: Symbol) -> Iterator[str]:
    """What a class of a symbol, or a relative of it, inherits from, as it is spelt."""
    for owner in symbol.module.outline.units.classes:
        if symbol.name in owner.family:
            yield from owner.spelt_bases


def _spelt(module: SourceModule, unit: Unit) -> Iterator[str]:
    table = module.imports
    defined = module.defined
    for name in unit.names:
        if name in table.names or (table.stars and name not in defined):
            yield name
    modules = {spelt.rpartition(".")[2]: spelt for spelt in table.names}
    for receiver, attribute in unit.attribute_uses:
        if receiver in modules:
            yield f"{modules[receiver]}.{attribute}"
