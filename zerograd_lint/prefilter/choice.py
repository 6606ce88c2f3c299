"""Which functions of a file can matter to a finding; all others may go."""

from __future__ import annotations

import re

from .call_graph import link, reached, spread
from .effects import ANYTHING, BY_CALL, GIVES, ZEROES, acts, gradient_names, renamed, worth_a_look
from .needs import allows
from .units import Unit, Units

_HOLDS = re.compile(r"scaler|optim(?!al|um|i[sz](?:e\b|ed|es\b|ing|ation))|\bopt\w{0,2}\b")
"""Here is talk of what acts on gradients: an optimizer is made, chosen or passed on."""
_SHARED = re.compile(r"^([^\W\d]\w*)[ \t]*(?::[^=\n]+)?=(?!=)|\bglobal[ \t]+([\w, \t]+)", re.M)
"""A variable of the module."""


def choose(
    units: Units, text: str, own_names: frozenset[str], lots: frozenset[int]
) -> set[Unit] | None:
    """The functions to keep; None if nothing in the whole file lets a rule speak."""
    everyone = [units.outside, *units.functions]
    _judge(units, text, own_names)
    if not allows(lots, _together(everyone)):
        return None
    link(units)
    done = spread(everyone, {unit: unit.done for unit in everyone})
    speaking = {unit for unit in everyone if allows(lots, done[unit])}
    if not speaking:
        return None
    # A zeroing anywhere in the file may be the one that is missed elsewhere.
    kept = {units.outside, *speaking, *(unit for unit in everyone if done[unit] & ZEROES)}
    return _with_their_facts(units, kept)


def _judge(units: Units, text: str, own_names: frozenset[str]) -> None:
    """Find out what each unit's own code could do."""
    others = renamed(text)
    by_call = BY_CALL | others
    # Steps that are told on what to act mean something only where there is a loss scaler.
    possible = ~0 if "scaler" in text.lower() or "unscale_" in text else ~GIVES
    shared = gradient_names(units.rest) if worth_a_look(units.outside.text) else frozenset()
    unusual = others.keys() | shared
    for unit in (units.outside, *units.functions):
        nodes = [unit.node] if unit.node is not None else units.rest
        if worth_a_look(unit.text) or (unusual and not unusual.isdisjoint(unit.names)):
            gradients = shared | gradient_names(nodes) if "grad" in unit.text else shared
            unit.done = acts(nodes, by_call, gradients) & possible
        if own_names and not own_names.isdisjoint(unit.words):
            unit.done |= ANYTHING


def _together(units: list[Unit]) -> int:
    done = 0
    for unit in units:
        done |= unit.done
    return done


def _with_their_facts(units: Units, kept: set[Unit]) -> set[Unit]:
    """These units, and all that tells what they work on and what else happens when they run.

    A function that is run on the way matters: it may hand what it is given to others. A method
    matters next to its relatives if it acts, constructs, or puts something into an attribute they
    use.
    """
    holds = {unit for unit in units.functions if _HOLDS.search(unit.text)}
    shared = {
        name
        for one, several in _SHARED.findall(units.outside.text + "\n".join(u.text for u in holds))
        for name in (one, *several.replace(",", " ").split())
        if name
    }
    while True:
        families = {name for u in kept if u.owner is not None for name in u.owner.family}
        mentioned = frozenset().union(*(unit.words for unit in kept))
        variables = shared & mentioned
        run = reached(kept)
        fresh = {
            unit
            for unit in units.functions
            if unit not in kept
            and (
                unit in run
                or ((unit.done or unit in holds) and not variables.isdisjoint(unit.names))
                or _tells(unit, families, mentioned)
            )
        }
        if not fresh:
            return kept
        kept |= fresh


def _tells(unit: Unit, families: set[str], mentioned: frozenset[str]) -> bool:
    """Whether a method says something about an instance that matters."""
    if unit.owner is None:
        return False
    if unit.owner.name in families:
        if unit.done or unit.name == "__init__":
            return True
        return not mentioned.isdisjoint(unit.sets)
    return unit.name == "__init__" and not families.isdisjoint(unit.names)
