"""Which words of a module stand for instances of imported classes that are given an optimizer.

One method makes such an object, another hands it the optimizer: `self.schedule(self.optimizer)`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Set

from ..prefilter.bindings import walk
from ..prefilter.code import mentions_owner
from ..prefilter.units import Unit, Units
from .dotted_names import last_word


def given_instances(units: Units, imported: Set[str] | None) -> frozenset[str]:
    """The names and attributes of such objects; `imported` are names from the project, None all."""
    everything = (units.outside, *units.functions)
    made = {word for unit in everything for word in _made(unit, units, imported)}
    if not made:
        return frozenset()
    using = [unit for unit in everything if unit.code.mentions_owner and made & unit.words]
    return frozenset(word for unit in using for word in _given(unit, units) if word in made)


def _made(unit: Unit, units: Units, imported: Set[str] | None) -> Iterator[str]:
    for binding in unit.code.bindings(units.nodes_of(unit)):
        if binding.callees and (imported is None or imported & (binding.callees | binding.sources)):
            yield from binding.targets


def _given(unit: Unit, units: Units) -> Iterator[str]:
    """What is called with an optimizer, or has a method that is."""
    for node in walk(units.nodes_of(unit)):
        if isinstance(node, ast.Call) and _mentions_owner(node):
            yield last_word(node.func)
            if isinstance(node.func, ast.Attribute):
                yield last_word(node.func.value)


def _mentions_owner(call: ast.Call) -> bool:
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    return any(mentions_owner(last_word(argument)) for argument in given)
