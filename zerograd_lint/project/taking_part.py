"""Whether a file takes part in what other modules do to gradients, and so may be reported for it.

A bug wholly inside another module is reported there. For one to be reported here, the file must
add to it: a loop that runs code of the other module, a class that fills in what it inherits or
keeps an optimizer to itself, or code of its own that acts on gradients.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Set
from typing import NamedTuple

from ..prefilter.bindings import bound, parts, walk
from ..prefilter.choice import Needs
from ..prefilter.dotted_names import last_word
from ..prefilter.units import ClassOutline, FunctionNode, Unit, Units
from ..vocabulary.frameworks import TEST_PREFIX
from .asked_words import words_below, words_in_loops
from .exports import Symbol
from .imported_effects import ProjectEffects, units_named
from .source_module import SourceModule


def takes_part(
    module: SourceModule, effects: ProjectEffects, needs: Needs, acting: Set[Unit]
) -> bool:
    """Whether a file adds to what it may run; `acting` are the units that act by themselves."""
    units, graph = module.outline.units, module.outline.graph
    running = graph.effects_of_running()
    reportable = [unit for unit, all_ in running.items() if any(need in all_ for need in needs)]
    return (
        not acting.isdisjoint(graph.reached_from(reportable))
        or _keeps_owner(module, effects, reportable)
        or any(_fills_in(owner, module, effects) for owner in units.classes)
        or _loops_over_others(module, effects)
    )


def _keeps_owner(module: SourceModule, effects: ProjectEffects, reportable: list[Unit]) -> bool:
    """Whether a method that may run acting code, again and again, is one of a class that has an
    optimizer; a test runs once, with new objects."""
    units, graph = module.outline.units, module.outline.graph
    tests = [unit for unit in units.functions if unit.name.startswith(TEST_PREFIX)]
    in_tests = graph.reached_from(tests)
    keeping = [
        unit
        for unit in reportable
        if unit.owner is not None and unit not in in_tests
        if any(method.code.mentions_owner for method in _methods(unit.owner, units))
    ]
    running = set(_running_words(module, effects)) if keeping else set()
    return any(not running.isdisjoint(unit.words) for unit in graph.reached_from(keeping))


def _methods(owner: ClassOutline, units: Units) -> Iterator[Unit]:
    """Those of a class and of its relatives."""
    for unit in units.functions:
        if unit.owner is not None and unit.owner.name in owner.family:
            yield unit


def _fills_in(owner: ClassOutline, module: SourceModule, effects: ProjectEffects) -> bool:
    """Whether a class, or a relative, defines what acting code that one inherits depends on."""
    bases = effects.bases(module, owner.spelt_bases).values()
    acting = [of_base for of_base in map(effects.acting, bases) if of_base.units]
    if not acting:
        return False
    mentioned = frozenset().union(*(of_base.words for of_base in acting))
    methods = [unit for unit in _methods(owner, module.outline.units) if unit.name != "__init__"]
    acts = {
        method.name
        for method in methods
        if any(map(effects.of_symbol, effects.used(module, method).values()))
    }
    if not mentioned.isdisjoint(acts | _set_by(owner, module.outline.units)):
        return True
    asked = frozenset().union(*(of_base.names | of_base.asked for of_base in acting))
    return not asked.isdisjoint(method.name for method in methods)


def _set_by(owner: ClassOutline, units: Units) -> set[str]:
    """The attributes that a class and its relatives give a value to."""
    found = {name for method in _methods(owner, units) for name in method.code.set_attributes}
    for other in units.classes:
        if other.name in owner.family:
            own = [node for node in other.node.body if not isinstance(node, FunctionNode)]
            found.update(last_word(target) for target, _ in bound(own))
    return found


class _Alias(NamedTuple):
    """Names, the words of what they stand for, and what makes that."""

    names: set[str]
    words: set[str]
    callees: set[str]


def _loops_over_others(module: SourceModule, effects: ProjectEffects) -> bool:
    """Whether a loop of the file mentions what may run acting code of another module, or calls
    what such code has given it."""
    tree = module.outline.tree
    looped, called = set(words_in_loops(tree)), set(words_in_loops(tree, calls=True))
    running = set(_running_words(module, effects))
    given: set[str] = set()
    aliases = list(_aliases(tree))
    while looped.isdisjoint(running) and called.isdisjoint(given):
        known = len(running), len(given)
        for alias in aliases:
            if not alias.words.isdisjoint(running):
                running |= alias.names
            elif not (alias.words | alias.callees).isdisjoint(running | given):
                given |= alias.names
        if (len(running), len(given)) == known:
            return False
    return True


def _running_words(module: SourceModule, effects: ProjectEffects) -> Iterator[str]:
    """The words by which a file may run acting code of other modules."""
    for spelt, symbol in _used(module, effects):
        acting = set(effects.acting(symbol).units)
        for unit in units_named(symbol):
            if unit in acting:
                is_named = unit.owner is not None and not unit.name.startswith("__")
                yield unit.name if is_named else spelt.rpartition(".")[2]


def _used(module: SourceModule, effects: ProjectEffects) -> Iterator[tuple[str, Symbol]]:
    """What the file uses of other modules, by its spelling, and what its classes inherit."""
    units = module.outline.units
    for unit in (units.outside, *units.functions):
        yield from effects.used(module, unit).items()
    for owner in units.classes:
        for base in effects.bases(module, owner.spelt_bases).values():
            yield owner.name, base


def _aliases(tree: ast.Module) -> Iterator[_Alias]:
    """What functions run, by their names, and what variables and attributes are given."""
    for node in walk([tree]):
        if isinstance(node, FunctionNode):
            yield _Alias({node.name}, set(words_below(node.body)), set())
        elif isinstance(node, ast.ClassDef):
            inner = [each for each in node.body if isinstance(each, FunctionNode)]
            unnamed = [each for each in inner if each.name.startswith("__")]
            yield _Alias({node.name}, set(words_below(unnamed)), set())
    for target, value in bound([tree]):
        words: set[str] = set()
        callees: set[str] = set()
        pending: list[ast.AST] = [value]
        while pending:
            node = pending.pop()
            if isinstance(node, ast.Call):
                callees.add(last_word(node.func))
                pending += [part for part in parts(node) if part is not node.func]
                pending += parts(node.func)
            elif isinstance(node, ast.Lambda):
                words.update(words_below([node]))
            else:
                words.add(last_word(node))
                pending += parts(node)
        yield _Alias(set(words_below([target])), words - {""}, callees)
