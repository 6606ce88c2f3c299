"""One module of a project: its text, its units and what it defines, each worked out when asked."""

from __future__ import annotations

import ast
import re
from functools import cached_property

from ..files import source
from ..files.digest import digest
from ..finding import SourceError
from ..prefilter.bindings import bound
from ..prefilter.choice import ANY_EFFECT, read_effects
from ..prefilter.outline import Outline
from ..prefilter.units import Unit
from ..vocabulary.buffers import GRADIENT_ATTRIBUTES
from ..vocabulary.calls import EFFECTS, ON_RECEIVER_ONLY, Effect, names_with
from ..vocabulary.setting_names import PARSES_OPTIONS
from .acting_units import ActingUnits
from .import_table import ImportTable, import_table
from .module_blocks import MOST_BYTES
from .nodes_below import all_below
from .tested_names import UnitTests

_UPDATES = names_with(Effect.UPDATE)
_WORDS = (b"Optimizer", *(word.encode() for word in sorted(EFFECTS.keys() - ON_RECEIVER_ONLY)))
_ATTRIBUTES = tuple(
    re.compile(rb"\." + word.encode() + rb"\b")
    for word in sorted(GRADIENT_ATTRIBUTES | ON_RECEIVER_ONLY - {*_UPDATES})
)
_OPTIM = re.compile(rb"\boptim\b")
"""One pattern per word: with a fixed beginning it is ten times as fast as with alternatives."""
_UPDATE = re.compile(
    rb"\.(?:" + b"|".join(word.encode() for word in _UPDATES) + rb")\b(\s*\(\s*[^\s)])?"
)
"""With what it is given, if that is anything."""
_STEP = re.compile(rf"\b(?:{'|'.join(names_with(Effect.CONSUME))})\b")
_STEP_TAKEN_APART = re.compile(r"^[ \t]*\w[^=(\n]*,[^=(\n]*=(?!=)[^=(\n]*\.step\(", re.MULTILINE)
"""`state, reward, done, _ = env.step(…)`."""
_PARSES = re.compile("|".join(sorted(PARSES_OPTIONS)).encode())
_IMPORT = re.compile(rb"^[ \t]*(?:from|import)\b[^(\n]*(?:\([^)]*\))?", re.MULTILINE)
_WORD = re.compile(rb"\w+")
_STAR = re.compile(rb"import[ \t\f\\\r\n]*\*")
_DEFINITION = re.compile(rb"^(?:async[ \t]+)?(def|class)[ \t]+(\w+)", re.MULTILINE)


class SourceModule:
    """A module as it was when it was read. One that cannot be read defines nothing."""

    def __init__(self, path: str, data: bytes) -> None:
        self.path = path
        self.data = data
        self._acting: dict[str | None, ActingUnits] = {}
        self.handed_over: dict[tuple[Unit, frozenset[str] | None], set[str]] = {}
        """Which names can matter to its units, by those that it imports from its project."""
        self.unit_tests: dict[Unit, UnitTests] = {}
        """What decides about the branches of its units."""

    @cached_property
    def digest(self) -> str:
        """Tells one content from another."""
        return digest(self.data)

    @cached_property
    def outline(self) -> Outline:
        return self._read or Outline("")

    @cached_property
    def _read(self) -> Outline | None:
        if len(self.data) > MOST_BYTES:
            return None
        try:
            outline = Outline(source.decode(self.data).text)
            read_effects(outline, frozenset(), self._possible_effects)
            for unit in (outline.units.outside, *outline.units.functions):
                if Effect.CONSUME in unit.effects and _steps_environments_only(unit):
                    unit.effects &= ~(Effect.CONSUME | Effect.SCALED)
                if Effect.UPDATE in unit.effects and not self._updates_scaler(unit):
                    unit.effects &= ~Effect.UPDATE
        except (SourceError, SyntaxError, ValueError, RecursionError, MemoryError, SystemError):
            return None
        return outline

    @property
    def may_act_unread(self) -> bool:
        """Whether it cannot be read, and a word in it says that it may act on gradients."""
        return self.is_of_interest and self._read is None

    @classmethod
    def of_outline(cls, path: str, outline: Outline) -> SourceModule:
        """The file that is being checked, as it was handed over."""
        module = cls(path, b"")
        module.outline = outline
        return module

    @cached_property
    def imports(self) -> ImportTable:
        return import_table(self.outline.tree)

    @cached_property
    def is_of_interest(self) -> bool:
        """Whether a word in it says that it may act on gradients, or hold what does."""
        return (
            any(word in self.data for word in _WORDS)
            or (b"optim" in self.data and _OPTIM.search(self.data) is not None)
            or any(pattern.search(self.data) for pattern in _ATTRIBUTES)
            or self._may_update_scaler
        )

    @cached_property
    def _may_update_scaler(self) -> bool:
        """Whether an update in it is given nothing, as one of a loss scaler, or it names any."""
        given = _UPDATE.findall(self.data)
        return bool(given) and (not all(given) or self._names_scaler)

    def _updates_scaler(self, unit: Unit) -> bool:
        """The same of one unit: an update given nothing may stand elsewhere, or in a text."""
        return self._names_scaler or not all(
            _UPDATE.findall(unit.text.encode("utf-8", "surrogatepass"))
        )

    @cached_property
    def _names_scaler(self) -> bool:
        return b"scaler" in self.data.lower()

    @property
    def _possible_effects(self) -> Effect:
        return ANY_EFFECT if self._may_update_scaler else ANY_EFFECT & ~Effect.UPDATE

    @cached_property
    def parses_options(self) -> bool:
        """Whether a word in it says that it may read the options of a command line."""
        return _PARSES.search(self.data) is not None

    @cached_property
    def definitions(self) -> dict[str, bool]:
        """Functions and classes at the left margin, found without parsing; True for a function.

        A name that an import binds as well is left out: which of the two it is, is not known.
        """
        imported = {word for line in _IMPORT.findall(self.data) for word in _WORD.findall(line)}
        return {
            name.decode(): kind == b"def"
            for kind, name in _DEFINITION.findall(self.data)
            if name.isascii() and name not in imported
        }

    @cached_property
    def units_by_name(self) -> dict[str, list[Unit]]:
        """By name of a function or class: the function, or the methods of the class's family."""
        found: dict[str, list[Unit]] = {}
        for unit in self.outline.units.functions:
            for name in (unit.name,) if unit.owner is None else unit.owner.family:
                found.setdefault(name, []).append(unit)
        return found

    @cached_property
    def effects_of_running(self) -> dict[Unit, Effect]:
        """What may happen when each of its units runs."""
        return self.outline.graph.effects_of_running()

    def acting(self, name: str | None) -> ActingUnits:
        """What may act of a function or class, and of all that it may run."""
        if name not in self._acting:
            units = self.units_by_name.get(name or "", [])
            running = self.effects_of_running
            acting = [unit for unit in self.outline.graph.reached_from(units) if running[unit]]
            self._acting[name] = ActingUnits(acting)
        return self._acting[name]

    @cached_property
    def imported_roots(self) -> frozenset[str]:
        """The first words of the names that it imports."""
        return frozenset(spelt.partition(".")[0] for spelt in self.imports.names)

    @cached_property
    def defined(self) -> frozenset[str]:
        """Functions, classes and variables of the module itself."""
        units = self.outline.units
        functions = {unit.name for unit in units.functions if unit.owner is None}
        return self.variables | functions | {owner.name for owner in units.classes}

    @cached_property
    def variables(self) -> frozenset[str]:
        """The names that its own statements give a value to."""
        return frozenset(
            part.id
            for target, _ in bound(self.outline.units.rest)
            for part in all_below([target])
            if isinstance(part, ast.Name)
        )

    @cached_property
    def set_attributes(self) -> frozenset[str]:
        """The attributes, of whatever, that it gives a value to."""
        return frozenset(
            part.attr
            for part in all_below([self.outline.tree])
            if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store)
        )

    @cached_property
    def public(self) -> frozenset[str] | None:
        """What `__all__` lists; None where there is none that can be read."""
        if self.data and b"__all__" not in self.data:
            return None
        for node in self.outline.tree.body:
            match node:
                case ast.Assign(targets=[ast.Name(id="__all__")], value=listed):
                    return _strings(listed)
        return None

    def may_have(self, name: str) -> bool:
        """Whether a name may be defined or imported: found without parsing."""
        return self._may_have_any or name.encode("utf-8", "surrogatepass") in self.data

    @cached_property
    def _may_have_any(self) -> bool:
        """Whether it may have names that are not spelt out in it, or not in this way."""
        data = self.data
        return not data or not data.isascii() or _STAR.search(data) is not None

    def gives_to_star(self, name: str) -> bool:
        """Whether `from module import *` may bring a name in."""
        return name in self.public if self.public is not None else not name.startswith("_")


def _steps_environments_only(unit: Unit) -> bool:
    """Whether all its steps give back several values, as no optimizer's does, and nothing else in
    it can apply gradients."""
    steps = len(_STEP.findall(unit.text))
    apart = len(_STEP_TAKEN_APART.findall(unit.text))
    return steps == apart and "grad" not in unit.text.replace("no_grad", "")


def _strings(node: ast.expr) -> frozenset[str] | None:
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None
    return frozenset(map(str, value)) if isinstance(value, list | tuple | set) else None
