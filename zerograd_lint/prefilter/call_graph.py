"""Which functions of a file may run which: by name, as generously as the analysis ever could."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from ..vocabulary.calls import Effect
from .bindings import Binding, walk
from .dotted_names import last_word
from .units import Unit, Units

_Functions = dict[str, list[Unit]]
RUN_UNNAMED = ("__call__", "__enter__", "__exit__")
"""Methods that run without being mentioned: by a call of an instance, by a `with`."""


class CallGraph:
    """Which functions of a file may run which, worked out once.

    A plain function is run by its name, a method as an attribute of what may be an instance of
    its family. Code that mentions a class may run its constructor, and code that mentions what
    may hold an instance may call that.
    """

    def __init__(self, units: Units) -> None:
        self._nodes_of = units.nodes_of
        self._units = [units.outside, *units.functions]
        self._plain: _Functions = {}
        self._methods: _Functions = {}
        self._constructors: _Functions = {}
        self._sort(units.functions)
        self._run_unnamed = [m for name in RUN_UNNAMED for m in self._methods.get(name, ())]
        bound = [
            binding for unit in self._units for binding in unit.code.bindings(units.nodes_of(unit))
        ]
        self._aliases = _aliases(bound, {*self._plain, *self._methods})
        self._instances = _instances(bound, units) if self._methods else {}
        self._runs = {unit: self._run_by(unit) for unit in self._units}

    def runs(self, unit: Unit) -> set[Unit]:
        """What a unit itself may run."""
        return self._runs[unit]

    def reached_from(self, units: Iterable[Unit]) -> set[Unit]:
        """These units and all they may run."""
        found = set(units)
        pending = list(found)
        while pending:
            for unit in self._runs[pending.pop()]:
                if unit not in found:
                    found.add(unit)
                    pending.append(unit)
        return found

    def effects_of_running(self) -> dict[Unit, Effect]:
        """What may happen when a unit runs: its own effects and those of all it may run."""
        callers: dict[Unit, list[Unit]] = {}
        for unit, runs in self._runs.items():
            for callee in runs:
                callers.setdefault(callee, []).append(unit)
        effects = {unit: unit.effects for unit in self._units}
        pending = [unit for unit in self._units if unit.effects]
        while pending:
            unit = pending.pop()
            for caller in callers.get(unit, ()):
                if effects[unit] not in effects[caller]:
                    effects[caller] |= effects[unit]
                    pending.append(caller)
        return effects

    def _sort(self, functions: list[Unit]) -> None:
        for unit in functions:
            if unit.owner is None:
                self._plain.setdefault(unit.name, []).append(unit)
            else:
                self._methods.setdefault(unit.name, []).append(unit)
                if unit.name == "__init__":
                    self._constructors.setdefault(unit.owner.name, []).append(unit)

    def _run_by(self, unit: Unit) -> set[Unit]:
        runs: set[Unit] = set()
        for name in unit.names & self._plain.keys():
            runs.update(self._plain[name])
        for name in unit.names & self._constructors.keys():
            runs.update(self._constructors[name])
        for receiver, name in unit.code.attribute_uses:
            for method in self._methods.get(name, ()):
                if method not in runs and self._may_run(unit, receiver, method):
                    runs.add(method)
        for name in unit.words & self._aliases.keys():
            for source in self._aliases[name]:
                runs.update(self._plain.get(source, ()))
                runs.update(self._methods.get(source, ()))
        for method in self._run_unnamed:
            if self._mentions_instance(unit, method) or _may_call_itself(unit, method):
                runs.add(method)
        return runs

    def _may_run(self, unit: Unit, receiver: str, method: Unit) -> bool:
        assert method.owner is not None
        family = method.owner.family
        if receiver == unit.instance_name:
            return unit.owner is not None and unit.owner.name in family
        if receiver in ")]":
            if "super" in unit.names and unit.owner is not None and unit.owner.name in family:
                return True
            return self._mentions_instance(unit, method)
        if method.owner.name in self._instances.get(receiver, ()):
            return True
        return receiver in family and self._is_code(unit, receiver, method.name)

    def _is_code(self, unit: Unit, receiver: str, name: str) -> bool:
        """Whether `Trainer.step` in the text of a unit is code, and no mere text."""
        return any(
            isinstance(node, ast.Attribute)
            and node.attr == name
            and last_word(node.value) == receiver
            for node in walk(self._nodes_of(unit))
        )

    def _mentions_instance(self, unit: Unit, method: Unit) -> bool:
        """Whether anything a unit mentions may be an instance of a method's class."""
        assert method.owner is not None
        if not method.owner.family.isdisjoint(unit.names):
            return True
        held = self._instances
        return any(method.owner.name in held[word] for word in unit.words & held.keys())


def _may_call_itself(unit: Unit, method: Unit) -> bool:
    """`self(batch)`, or any other use of the instance that may end in a call of it."""
    assert method.owner is not None
    if unit.owner is None or unit.owner.name not in method.owner.family or not unit.instance_name:
        return False
    return re.search(rf"\b{unit.instance_name}\s*(?:\(|$|[,)])", unit.text, re.M) is not None


def _instances(bound: list[Binding], units: Units) -> dict[str, set[str]]:
    """By name or attribute: the classes, relatives included, it may hold an instance of."""
    families = {owner.name: owner.family for owner in units.classes}
    pairs = [(binding.targets, binding.sources | binding.callees) for binding in bound]
    return _follow(pairs, families)


def _aliases(bound: list[Binding], functions: set[str]) -> dict[str, set[str]]:
    """Other names of functions, however many assignments lead to them.

    `self.on_batch = self.train_step` gives one, `fast = compile(train_step)` another.
    """
    pairs = [(binding.targets, binding.sources) for binding in bound]
    return _follow(pairs, {name: frozenset({name}) for name in functions})


def _follow(
    pairs: list[tuple[set[str], set[str]]], known: dict[str, frozenset[str]]
) -> dict[str, set[str]]:
    """What names may stand for, given what their values are called, until nothing is added."""
    found: dict[str, set[str]] = {}
    meaningful = known.keys() | {target for targets, _ in pairs for target in targets}
    linked = [(targets, words & meaningful) for targets, words in pairs]
    linked = [(targets, words) for targets, words in linked if words]
    more = bool(known)
    while more:
        more = False
        for targets, words in linked:
            values: set[str] = set()
            for word in words:
                values.update(known.get(word, ()), found.get(word, ()))
            for target in targets if values else ():
                before = found.setdefault(target, set())
                if not values <= before:
                    before |= values
                    more = True
    return found
