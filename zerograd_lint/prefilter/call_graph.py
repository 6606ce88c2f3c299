"""Which functions of a file may run which: by name, as generously as the analysis ever could."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .bindings import Binding, bindings
from .units import Unit, Units


def link(units: Units) -> None:
    """Let every unit know what it may run.

    A plain function is run by its name, a method as an attribute of what may be an instance of
    its family. Whoever mentions a class may run its constructor, and whoever mentions what may
    hold an instance may call that.
    """
    everyone = [units.outside, *units.functions]
    plain: dict[str, list[Unit]] = {}
    methods: dict[str, list[Unit]] = {}
    constructors: dict[str, list[Unit]] = {}
    for unit in units.functions:
        if unit.owner is None:
            plain.setdefault(unit.name, []).append(unit)
        else:
            methods.setdefault(unit.name, []).append(unit)
            if unit.name == "__init__":
                constructors.setdefault(unit.owner.name, []).append(unit)
    bound = [
        binding
        for unit in everyone
        for binding in bindings([unit.node] if unit.node is not None else units.rest)
    ]
    aliases = _aliases(bound, {*plain, *methods})
    held = _held(bound, units) if methods else {}
    for unit in everyone:
        runs = unit.runs
        for name in unit.names & plain.keys():
            runs.update(plain[name])
        for name in unit.names & constructors.keys():
            runs.update(constructors[name])
        for receiver, name in unit.uses:
            for method in methods.get(name, ()):
                if method not in runs and _may_run(unit, receiver, method, held):
                    runs.add(method)
        for name in unit.words & aliases.keys():
            for source in aliases[name]:
                runs.update(plain.get(source, ()))
                runs.update(methods.get(source, ()))
        for method in methods.get("__call__", ()):
            if _holds(unit, method, held) or _calls_itself(unit, method):
                runs.add(method)


def _may_run(unit: Unit, receiver: str, method: Unit, held: dict[str, set[str]]) -> bool:
    assert method.owner is not None
    family = method.owner.family
    if receiver == unit.instance:
        return unit.owner is not None and unit.owner.name in family
    if receiver in ")]":
        if "super" in unit.names and unit.owner is not None and unit.owner.name in family:
            return True
        return _holds(unit, method, held)
    return receiver in family or method.owner.name in held.get(receiver, ())


def _holds(unit: Unit, method: Unit, held: dict[str, set[str]]) -> bool:
    """Whether anything a unit mentions may be an instance of a method's class."""
    assert method.owner is not None
    if not method.owner.family.isdisjoint(unit.names):
        return True
    return any(method.owner.name in held[word] for word in unit.words & held.keys())


def _calls_itself(unit: Unit, method: Unit) -> bool:
    """`self(batch)`, or any other use of the instance that may end in a call of it."""
    assert method.owner is not None
    if unit.owner is None or unit.owner.name not in method.owner.family or not unit.instance:
        return False
    return re.search(rf"\b{unit.instance}\s*(?:\(|$|[,)])", unit.text, re.M) is not None


def _held(bound: list[Binding], units: Units) -> dict[str, set[str]]:
    """By name or attribute: the classes, relatives included, it may hold an instance of."""
    held: dict[str, set[str]] = {}
    families = {owner.name: owner.family for owner in units.classes}
    pairs = [(binding.targets, binding.made_of | binding.made_by) for binding in bound]
    more = True
    while more:
        more = False
        for targets, words in pairs:
            found: set[str] = set()
            for word in words:
                found.update(families.get(word, ()), held.get(word, ()))
            for target in targets if found else ():
                known = held.setdefault(target, set())
                if not found <= known:
                    known |= found
                    more = True
    return held


def _aliases(bound: list[Binding], functions: set[str]) -> dict[str, set[str]]:
    """Other names of functions, however many assignments lead to them.

    `self.on_batch = self.train_step` gives one, `fast = compile(train_step)` another.
    """
    found: dict[str, set[str]] = {}
    more = True
    while more:
        more = False
        for targets, words, _ in bound:
            sources = words & functions
            for word in words & found.keys():
                sources |= found[word]
            for target in targets if sources else ():
                known = found.setdefault(target, set())
                if not sources <= known:
                    known |= sources
                    more = True
    return found


def reached(units: Iterable[Unit]) -> set[Unit]:
    """These units and all they may run."""
    found = set(units)
    pending = list(found)
    while pending:
        for unit in pending.pop().runs:
            if unit not in found:
                found.add(unit)
                pending.append(unit)
    return found


def spread(units: list[Unit], own: dict[Unit, int]) -> dict[Unit, int]:
    """What happens when a unit runs: its own marks and those of all it may run."""
    callers: dict[Unit, list[Unit]] = {}
    for unit in units:
        for callee in unit.runs:
            callers.setdefault(callee, []).append(unit)
    marks = dict(own)
    pending = [unit for unit in units if marks[unit]]
    while pending:
        unit = pending.pop()
        for caller in callers.get(unit, ()):
            if marks[unit] & ~marks[caller]:
                marks[caller] |= marks[unit]
                pending.append(caller)
    return marks
