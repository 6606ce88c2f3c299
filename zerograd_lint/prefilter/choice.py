"""Which functions of a file can matter to a finding; all others may go."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Set
from typing import NamedTuple

from ..vocabulary.calls import ON_RECEIVER_ONLY, SCALER_METHODS, Effect
from ..vocabulary.frameworks import CONFIGURES_OPTIMIZERS, STEPPED_BEHIND
from .call_graph import CallGraph
from .call_words import call_words
from .effects import effects_of, gradient_names
from .irregular import add_irregular
from .outline import Outline
from .units import Unit, Units

Needs = frozenset[Effect]
"""Combinations of effects: where all effects of one of them come together, a rule may report."""
ImportedEffects = Callable[[Unit], Effect]
"""What a unit may do to gradients by running code of other modules."""

_EVENTS = Effect.DEPOSIT | Effect.CONSUME | Effect.ZERO | Effect.READ
"""What counts whichever rules are enabled: it says what objects are and how functions relate."""
ANY_EFFECT = _EVENTS | Effect.CLIP | Effect.UNSCALE | Effect.UPDATE | Effect.SCALED
"""What a function could do that the project's settings give a meaning to."""
_HANDS_OUT_SELF = re.compile(r"[(,=]\s*self\b\s*(?:[),]|$)", re.MULTILINE)
"""The instance is given to something else: `callback.trainer = self`."""
_STEPPED = re.compile(r"\.(\w+)(?:\[[^\]\n]*\])?\.(?:step|zero_grad)\(|\.step\(\s*\w+\.(\w+)")
"""An attribute that is stepped or cleared: `self.opt.step()`, `scaler.step(self.opt)`."""
_COLLECTED = re.compile(r"\.(\w+)(?:[ \t]*=[ \t]*[\[({]|\.append\().*\.(\w+)")
"""An attribute that holds a list with another one in it."""
_MODULE_VARIABLE = re.compile(
    r"^([^\W\d]\w*)[ \t]*(?::[^=\n]+)?=(?!=)|\bglobal[ \t]+([\w, \t]+)", re.MULTILINE
)
_UNMISTAKABLE_SCALER_METHODS = SCALER_METHODS - ON_RECEIVER_ONLY


class Chosen(NamedTuple):
    """The units of a file that can matter to a finding."""

    kept: Set[Unit]
    acting: Set[Unit]
    """Those of them that may do something to gradients when they run; what the others do counts
    where one of these runs them, and what they say of objects counts anyway."""


def choose(
    outline: Outline,
    own_names: frozenset[str],
    needs: Needs | None,
    imported: ImportedEffects,
) -> Chosen | None:
    """The functions to keep; None if nothing in the whole file lets a rule report anything.

    Without `needs`, for a rule that says nothing of them, all functions stay.
    """
    units = outline.units
    everything = [units.outside, *units.functions]
    if needs is None:
        return Chosen(set(everything), set(everything))
    counted = _EVENTS | _union(needs)
    read_effects(outline, own_names, counted)
    from_others = {unit: imported(unit) for unit in everything}
    for unit, effects_of_others in from_others.items():
        unit.effects |= effects_of_others
    if not fulfilled(needs, _union(unit.effects for unit in everything) | Effect.IRREGULAR):
        return None
    if Effect.IRREGULAR in counted:
        add_irregular(
            outline,
            call_words(counted),
            lambda unit: bool(from_others[unit]) or not own_names.isdisjoint(unit.words),
        )
        # Most files end here, before it is worked out which of their functions run which.
        if not fulfilled(needs, _union(unit.effects for unit in everything)):
            return None
    graph = outline.graph
    effects = graph.effects_of_running()
    reportable = {unit for unit in everything if fulfilled(needs, effects[unit])}
    if not reportable:
        return None
    # A zeroing anywhere in the file may be the one that is missed elsewhere.
    zeroing = {unit for unit in everything if effects[unit] & Effect.ZERO}
    kept = _with_context(units, graph, {units.outside} | reportable | zeroing)
    return Chosen(kept, {unit for unit in kept if effects[unit]})


def fulfilled(needs: Needs, effects: Effect) -> bool:
    """Whether all effects of one combination come together."""
    return any(need in effects for need in needs)


def _union(effects: Iterable[Effect]) -> Effect:
    found = Effect.NOTHING
    for effect in effects:
        found |= effect
    return found


def read_effects(outline: Outline, own_names: frozenset[str], counted: Effect = ANY_EFFECT) -> None:
    """Find out what each unit's own code could do, unless that has been done."""
    units, text = outline.units, outline.text
    if outline.read_for == (own_names, counted):
        return
    outline.read_for = (own_names, counted)
    words = call_words(counted)
    renamed = words.renamed(text)
    by_call = words.effects | renamed
    scales = "scaler" in text.lower() or any(m in text for m in _UNMISTAKABLE_SCALER_METHODS)
    shared = gradient_names(units.rest) if words.occur_in(units.outside.text) else frozenset()
    unusual = renamed.keys() | shared
    for unit in (units.outside, *units.functions):
        nodes = units.nodes_of(unit)
        if words.occur_in(unit.text) or (unusual and not unusual.isdisjoint(unit.names)):
            gradients = shared | gradient_names(nodes) if "grad" in unit.text else shared
            unit.effects = effects_of(nodes, by_call, gradients)
            if not scales:
                unit.effects &= ~Effect.SCALED
        if unit.name in STEPPED_BEHIND and unit.effects & Effect.ZERO:
            unit.effects |= Effect.CONSUME
        if own_names and not own_names.isdisjoint(unit.words):
            unit.effects |= ANY_EFFECT


def choose_named(units: Units, graph: CallGraph, names: Set[str], mentioned: Set[str]) -> set[Unit]:
    """What must be read of a module that others use: some of its names, and all that these need.

    Of a class without a part in training its statement is enough. Of others the methods count
    that act, construct, or are mentioned by those who use the module.
    """
    acting = {
        name
        for unit in units.functions
        if unit.owner is not None and (unit.effects or unit.code.mentions_owner)
        for name in unit.owner.family
    }
    wanted = set(names)
    while True:
        families = {name for c in units.classes if c.name in wanted for name in c.family}
        chosen = {
            unit
            for unit in units.functions
            if (
                unit.name in names
                if unit.owner is None
                else unit.owner.name in families & acting
                and (unit.effects or unit.name in mentioned or unit.name in _CONSTRUCTS)
            )
        }
        kept = _with_context(units, graph, chosen)
        # What a function makes and gives back, its callers use.
        used = {c.name for c in units.classes if any(c.name in unit.names for unit in kept)}
        if used <= wanted:
            return kept
        wanted |= used


_DESCRIBES = frozenset({"__init__", CONFIGURES_OPTIMIZERS})
"""Methods that say of what an instance is made."""
_CONSTRUCTS = _DESCRIBES | {"__post_init__", "__enter__", "__exit__", "__call__"}
"""Methods that run without being mentioned."""


def _with_context(units: Units, graph: CallGraph, kept: set[Unit]) -> set[Unit]:
    """These units and all that says what they work on and what else happens when they run.

    A function that is run on the way matters: it may pass on what it is given. A method matters
    next to its relatives if it acts, constructs, gives a value to an attribute they use, or
    mentions one that they step: it may show that to others.
    """
    mention_owner = {unit for unit in units.functions if unit.code.mentions_owner}
    variables = _module_variables(units, mention_owner)
    reached = graph.reached_from(kept)
    while True:
        families = {name for u in kept if u.owner is not None for name in u.owner.family}
        mentioned = frozenset().union(*(unit.words for unit in kept))
        used_variables = variables & mentioned
        stepped = _stepped_attributes(kept)
        added = {
            unit
            for unit in units.functions
            if unit not in kept
            and (
                unit in reached
                or (
                    (unit.effects or unit in mention_owner or unit.code.sets_globals)
                    and not used_variables.isdisjoint(unit.names)
                )
                or _describes_instance(unit, families, mentioned, stepped)
            )
        }
        if not added:
            return kept
        kept |= added
        reached |= graph.reached_from(added)


def _module_variables(units: Units, functions: set[Unit]) -> set[str]:
    """Variables that the module itself or one of these functions sets for the whole module."""
    text = units.outside.text + "\n".join(unit.text for unit in functions)
    return {
        name
        for one, several in _MODULE_VARIABLE.findall(text)
        for name in (one, *several.replace(",", " ").split())
        if name
    }


def _stepped_attributes(units: Iterable[Unit]) -> set[str]:
    """The attributes that methods step or clear, and those that hold lists of them."""
    text = "\n".join(unit.text for unit in units if unit.owner is not None)
    found = {name for names in _STEPPED.findall(text) for name in names if name}
    return found | {holder for holder, held in _COLLECTED.findall(text) if held in found}


def _describes_instance(
    unit: Unit, families: set[str], mentioned: frozenset[str], stepped: set[str]
) -> bool:
    """Whether a method says something about an instance of these families of classes."""
    if unit.owner is None:
        return False
    if unit.owner.name in families:
        if unit.effects or unit.name in _DESCRIBES or _hands_out_instance(unit):
            return True
        if not stepped.isdisjoint(unit.attributes):
            return True
        return not mentioned.isdisjoint(unit.code.set_attributes)
    return unit.name == "__init__" and not families.isdisjoint(unit.names)


def _hands_out_instance(unit: Unit) -> bool:
    """Whether a method gives the instance to something else, behind its own parameter."""
    return _HANDS_OUT_SELF.search(unit.text, unit.text.find("self") + len("self")) is not None
