"""What names that a module imports from its project may do to gradients when they run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..prefilter.call_graph import RUN_UNNAMED
from ..prefilter.units import Unit, Units
from ..vocabulary.calls import Effect
from .acting_units import NONE_ACT, ActingUnits
from .exports import Exports, Symbol
from .given_instances import given_instances
from .handed_over import handed_over
from .nodes_below import NodesBelow
from .setting_lines import gives_options
from .source_module import SourceModule
from .tested_names import tested_names


class ProjectEffects:
    """Follows what runs what across modules, as generously as inside one.

    An effect is looked for one import away: a bound that does not depend on who asks first.
    """

    def __init__(self, exports: Exports) -> None:
        self._exports = exports
        self._effects: dict[Symbol, Effect] = {}
        self._bases: dict[tuple[SourceModule, tuple[str, ...]], dict[str, Symbol]] = {}
        self._below: dict[Unit, NodesBelow] = {}
        self._instances: dict[SourceModule, frozenset[str]] = {}
        self._used: dict[tuple[SourceModule, Unit], dict[str, Symbol]] = {}

    def used(self, module: SourceModule, unit: Unit) -> dict[str, Symbol]:
        """The names of other modules that a unit uses, as it spells them."""
        if not self._may_use(module, unit):
            return {}
        key = (module, unit)
        if key not in self._used:
            self._used[key] = self._resolved(
                module, _imported(module, self._relevant(module, unit))
            )
        return self._used[key]

    def _relevant(self, module: SourceModule, unit: Unit) -> set[str]:
        """The names that can matter to a unit: worked out once for all who import the module."""
        names = self._exports.project_names(module)
        key = (unit, names)
        if key not in module.handed_over:
            units, instances = module.outline.units, self._given_instances(module, names)
            module.handed_over[key] = handed_over(
                unit, units, names, instances, self._nodes_of, parameters=bool(module.data)
            )
        return module.handed_over[key]

    def _given_instances(
        self, module: SourceModule, names: frozenset[str] | None
    ) -> frozenset[str]:
        if module not in self._instances:
            units = module.outline.units
            self._instances[module] = given_instances(units, names, self._nodes_of)
        return self._instances[module]

    def _nodes_of(self, unit: Unit, units: Units) -> NodesBelow:
        if unit not in self._below:
            self._below[unit] = NodesBelow(units.nodes_of(unit))
        return self._below[unit]

    def tested(self, module: SourceModule, units: Iterable[Unit]) -> dict[str, Symbol]:
        """The names of other modules that decide about branches of some units: what a constant is
        there, what a table or a class of settings holds, what gives options."""
        using = [unit for unit in units if self._may_use(module, unit)]
        if not using:
            return {}
        names = tested_names(using, module.outline.units.nodes_of, module.unit_tests)
        found = self._resolved(module, _imported(module, names))
        return {spelt: symbol for spelt, symbol in found.items() if _holds_settings(symbol)}

    def _may_use(self, module: SourceModule, unit: Unit) -> bool:
        """Whether a unit mentions anything of its project; most mention nothing of it."""
        names = self._exports.project_names(module)
        if names is None or not names.isdisjoint(unit.names):
            return True
        # Decorators are no part of its text.
        return bool(names) and unit.node is not None and bool(unit.node.decorator_list)

    def of_unit(self, module: SourceModule, unit: Unit) -> Effect:
        """What a unit may do by what it uses of other modules."""
        found = Effect.NOTHING
        for symbol in self.used(module, unit).values():
            found |= self.of_symbol(symbol)
        if unit.owner is not None:
            for base in self.bases(module, unit.owner.spelt_bases).values():
                found |= self._of_base(unit, base)
        return found

    def _of_base(self, unit: Unit, base: Symbol) -> Effect:
        """What a method of a class may do by what the class inherits: where it mentions acting code
        of the base, and where such code mentions it, or an attribute that it sets."""
        acting = self.acting(base)
        names, words = acting.names, acting.words
        if (
            not names.isdisjoint(RUN_UNNAMED)
            or unit.name in words
            or not words.isdisjoint(unit.code.set_attributes)
        ):
            return self.of_symbol(base)
        found = Effect.NOTHING
        if not names.isdisjoint(unit.attributes):
            for other in acting.units:
                if other.name in unit.attributes:
                    found |= base.module.effects_of_running[other]
        return found

    def acting(self, symbol: Symbol) -> ActingUnits:
        """Those units of a function or class, and of all it may run, that may act when they run."""
        return symbol.module.acting(symbol.name) if self.of_symbol(symbol) else NONE_ACT

    def of_symbol(self, symbol: Symbol) -> Effect:
        """What using a function or a class may do."""
        known = self._effects.get(symbol)
        if known is None:
            known = Effect.NOTHING
            if symbol.module.is_of_interest:
                for unit in units_named(symbol):
                    known |= symbol.module.effects_of_running[unit]
            self._effects[symbol] = known
        return known

    def of_methods(self, module: SourceModule) -> dict[str, Effect]:
        """By name of a method: what it may do in the imported classes that have it.

        An object that one function makes another may use, without a word of its class.
        """
        found: dict[str, Effect] = {}
        units = module.outline.units
        using = (self.used(module, unit) for unit in (units.outside, *units.functions))
        for symbol in {symbol for used in using for symbol in used.values()}:
            for method in units_named(symbol) if self.of_symbol(symbol) else ():
                # A constructor is run by the name of its class: `super().__init__()` is not it.
                effect = symbol.module.effects_of_running[method]
                if effect and method.owner is not None and method.name != "__init__":
                    found[method.name] = found.get(method.name, effect) | effect
        return found

    def matters(self, symbol: Symbol) -> bool:
        """Whether a symbol acts on gradients, or makes or passes on what does."""
        if not symbol.module.is_of_interest:
            return False
        return (
            symbol.name in symbol.module.variables
            or bool(self.of_symbol(symbol))
            or any(unit.code.mentions_owner for unit in units_named(symbol))
        )

    def bases(self, module: SourceModule, spelt_bases: tuple[str, ...]) -> dict[str, Symbol]:
        """The classes of other modules among those that a class inherits from."""
        key = (module, spelt_bases)
        if key not in self._bases:
            self._bases[key] = self._resolved(module, filter(None, spelt_bases))
        return self._bases[key]

    def _resolved(self, module: SourceModule, names: Iterable[str]) -> dict[str, Symbol]:
        """What names of a module stand for in others, modules themselves left out."""
        found = ((spelt, self._exports.imported(module, spelt)) for spelt in names)
        return {spelt: symbol for spelt, symbol in found if symbol is not None and symbol.name}


def units_named(symbol: Symbol) -> list[Unit]:
    """The function of a symbol, or the methods of its class and of the relatives of that."""
    return symbol.module.units_by_name.get(symbol.name or "", [])


def _holds_settings(symbol: Symbol) -> bool:
    module = symbol.module
    if not module.definitions.get(symbol.name or ""):
        return True
    # Without these words in it, a module need not be parsed to be answered no.
    return module.parses_options and any(gives_options(unit) for unit in units_named(symbol))


def _imported(module: SourceModule, names: Iterable[str]) -> Iterator[str]:
    """Those of some names that a module imports."""
    table = module.imports
    for spelt in sorted(names):
        if spelt.partition(".")[0] in module.imported_roots or (
            table.stars and "." not in spelt and spelt not in module.defined
        ):
            yield spelt
