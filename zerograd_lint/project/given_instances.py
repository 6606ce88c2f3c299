"""Which words of a module stand for instances of imported classes that are given an optimizer.

One method makes such an object, another hands it the optimizer: `self.schedule(self.optimizer)`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Set

from ..prefilter.units import Unit, Units
from .dotted_names import last_word
from .nodes_below import all_below, names_owner


def given_instances(units: Units, imported: Set[str] | None) -> frozenset[str]:
    """The names and attributes of such objects; `imported` are names from the project, None all."""
    everything = (units.outside, *units.functions)
    using = [unit for unit in everything if unit.code.mentions_owner]
    if not using:
        return frozenset()
    made = {word for unit in everything for word in _made(unit, units, imported)}
    using = [unit for unit in using if any(word in unit.text for word in made)]
    return frozenset(word for unit in using for word in _given(unit, units) if word in made)


def _made(unit: Unit, units: Units, imported: Set[str] | None) -> Iterator[str]:
    if imported is not None and imported.isdisjoint(unit.names):
        return
    for binding in unit.code.bindings(units.nodes_of(unit)):
        if binding.callees and (imported is None or imported & (binding.callees | binding.sources)):
            yield from binding.targets


def _given(unit: Unit, units: Units) -> Iterator[str]:
    """What is called with an optimizer, or has a method that is."""
    for node in all_below(units.nodes_of(unit)):
        if isinstance(node, ast.Call) and _mentions_owner(node):
            yield last_word(node.func)
            if isinstance(node.func, ast.Attribute):
                yield last_word(node.func.value)


def _mentions_owner(call: ast.Call) -> bool:
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    return any(names_owner(last_word(argument)) for argument in given)
