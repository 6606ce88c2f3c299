"""Which words of a module stand for instances of imported classes that are given an optimizer.

One method makes such an object, another hands it the optimizer: `self.schedule(self.optimizer)`.
So it is with those that give one out: `self.agent.get_optimizer()`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Set

from ..prefilter.dotted_names import last_word
from ..prefilter.units import Unit, Units
from .nodes_below import NodesBelow, NodesOf, names_owner

_CALLED_OWNER = re.compile(r"(?:scaler|opt)\w*[\s)]*[(#\\]")
"""A word of an optimizer or a scaler that may be called; without one, no call need be looked at."""


def given_instances(units: Units, imported: Set[str] | None, nodes_of: NodesOf) -> frozenset[str]:
    """The names and attributes of such objects; `imported` are names from the project, None all."""
    everything = (units.outside, *units.functions)
    using = [unit for unit in everything if unit.code.mentions_owner]
    if not using:
        return frozenset()
    made = {word for unit in everything for word in _made(unit, units, imported)}
    if not made:
        return frozenset()
    found: set[str] = set()
    for unit in using:
        if (
            _CALLED_OWNER.search(unit.text)
            and any(map(names_owner, unit.attributes))
            and any(map(_gives_owner, _calls_on_arguments(unit, nodes_of(unit, units))))
        ):
            return frozenset(made)  # it may be given any of them
        if not made.isdisjoint(unit.words):
            found.update(word for word in _given(nodes_of(unit, units)) if word in made)
    return frozenset(found)


def _made(unit: Unit, units: Units, imported: Set[str] | None) -> Iterator[str]:
    if imported is not None and imported.isdisjoint(unit.names):
        return
    for binding in unit.code.bindings(units.nodes_of(unit)):
        if binding.callees and (imported is None or imported & (binding.callees | binding.sources)):
            yield from binding.targets


def _given(below: NodesBelow) -> Iterator[str]:
    """What is called with an optimizer, has a method that is, or one that gives an optimizer."""
    for node in below.calls:
        if _mentions_owner(node) or _gives_owner(node):
            yield last_word(node.func)
            if isinstance(node.func, ast.Attribute):
                yield last_word(node.func.value)


def _mentions_owner(call: ast.Call) -> bool:
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    return any(names_owner(last_word(argument)) for argument in given)


def _calls_on_arguments(unit: Unit, below: NodesBelow) -> Iterator[ast.Call]:
    """The calls of methods of what a function was given: `agent.get_optimizer()`."""
    if unit.node is None:
        return
    given = {node.arg for node in ast.walk(unit.node.args) if isinstance(node, ast.arg)} - {"self"}
    for node in below.calls:
        match node.func:
            case ast.Attribute(value=ast.Name(id=name)) if name in given:
                yield node


def _gives_owner(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and names_owner(call.func.attr)
