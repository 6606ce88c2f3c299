"""Whether a file takes part in what other modules do to gradients, and so may be reported for it.

A bug wholly inside another module is reported there. For one to be reported here, the file must
add to it: a loop that runs code of the other module, a class that fills in what it inherits or
keeps an optimizer to itself, or code of its own that acts on gradients.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Set
from typing import NamedTuple

from ..prefilter.bindings import bound, parts, walk
from ..prefilter.choice import Needs
from ..prefilter.dotted_names import last_word
from ..prefilter.units import ClassOutline, FunctionNode, Unit, Units
from .exports import Symbol
from .imported_effects import ProjectEffects, units_named
from .source_module import SourceModule

_LOOPS = (
    *(ast.For, ast.AsyncFor, ast.While),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)


def takes_part(
    module: SourceModule, effects: ProjectEffects, needs: Needs, acting: Set[Unit]
) -> bool:
    """Whether a file adds to what it may run; `acting` are the units that act by themselves."""
    units, graph = module.outline.units, module.outline.graph
    running = graph.effects_of_running()
    reportable = [unit for unit, all_ in running.items() if any(need in all_ for need in needs)]
    return (
        not acting.isdisjoint(graph.reached_from(reportable))
        or any(_keeps_owner(unit, units) for unit in reportable)
        or any(_fills_in(owner, module, effects) for owner in units.classes)
        or _loops_over_others(module, effects)
    )


def _keeps_owner(unit: Unit, units: Units) -> bool:
    """Whether the class of a method has an optimizer."""
    return unit.owner is not None and any(
        method.code.mentions_owner for method in _methods(unit.owner, units)
    )


def _methods(owner: ClassOutline, units: Units) -> Iterator[Unit]:
    """Those of a class and of its relatives."""
    for unit in units.functions:
        if unit.owner is not None and unit.owner.name in owner.family:
            yield unit


def _fills_in(owner: ClassOutline, module: SourceModule, effects: ProjectEffects) -> bool:
    """Whether a class, or a relative, defines what acting code that one inherits asks for."""
    asked: set[str] = set()
    for base in effects.bases(module, owner.spelt_bases).values():
        for unit in _acting(base, effects):
            asked |= {*unit.words, unit.name}
    if not asked:
        return False
    methods = list(_methods(owner, module.outline.units))
    defined = {method.name for method in methods}.union(*(m.code.set_attributes for m in methods))
    for other in module.outline.units.classes:
        if other.name in owner.family:
            defined.update(last_word(target) for target, _ in bound(other.node.body))
    return not (defined - {"__init__"}).isdisjoint(asked)


def _acting(symbol: Symbol, effects: ProjectEffects) -> Iterator[Unit]:
    """Those units of a function or class, and of all it may run, that may act when they run."""
    if effects.of_symbol(symbol):
        running = symbol.module.effects_of_running
        reached = symbol.module.outline.graph.reached_from(units_named(symbol))
        yield from (unit for unit in reached if running[unit])


class _Alias(NamedTuple):
    """Names, the words of what they stand for, and what makes that."""

    names: set[str]
    words: set[str]
    callees: set[str]


def _loops_over_others(module: SourceModule, effects: ProjectEffects) -> bool:
    """Whether a loop of the file mentions what may run acting code of another module."""
    looped = set(_words_in_loops(module.outline.tree))
    words, classes = _running_words(module, effects)
    aliases = list(_aliases(module.outline.tree))
    while looped.isdisjoint(words):
        more = {
            name
            for alias in aliases
            if not (alias.words.isdisjoint(words) and alias.callees.isdisjoint(classes))
            for name in alias.names
        }
        if more <= words:
            return False
        words |= more
    return True


def _running_words(module: SourceModule, effects: ProjectEffects) -> tuple[set[str], set[str]]:
    """The words that may run acting code of other modules, and the classes whose instances may
    without being asked to."""
    words: set[str] = set()
    classes: set[str] = set()
    for spelt, symbol in _used(module, effects):
        acting = set(_acting(symbol, effects))
        for unit in units_named(symbol):
            if unit not in acting:
                continue
            if unit.owner is not None and not unit.name.startswith("__"):
                words.add(unit.name)
            else:
                words.add(spelt.rpartition(".")[2])
                classes.add(spelt.rpartition(".")[2])
    return words, classes


def _used(module: SourceModule, effects: ProjectEffects) -> Iterator[tuple[str, Symbol]]:
    """What the file uses of other modules, by its spelling, and what its classes inherit."""
    units = module.outline.units
    for unit in (units.outside, *units.functions):
        yield from effects.used(module, unit).items()
    for owner in units.classes:
        for base in effects.bases(module, owner.spelt_bases).values():
            yield owner.name, base


def _words_in_loops(tree: ast.Module) -> Iterator[str]:
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, _LOOPS):
            yield from _words([node])
        else:
            pending += parts(node)


def _words(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in walk(nodes):
        word = last_word(node)
        if word:
            yield word


def _aliases(tree: ast.Module) -> Iterator[_Alias]:
    """What functions run, by their names, and what variables and attributes are given.

    What a call gives back is not what it runs: `history = fit(net)`.
    """
    for node in walk([tree]):
        if isinstance(node, FunctionNode):
            yield _Alias({node.name}, set(_words(node.body)), set())
        elif isinstance(node, ast.ClassDef):
            unnamed = (
                each
                for each in node.body
                if isinstance(each, FunctionNode) and each.name.startswith("__")
            )
            yield _Alias({node.name}, {word for each in unnamed for word in _words([each])}, set())
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
                words.update(_words([node]))
            else:
                words.add(last_word(node))
                pending += parts(node)
        yield _Alias(set(_words([target])), words - {""}, callees)
