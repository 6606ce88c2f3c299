"""Which part of a file can matter to a finding: found with Python's own, fast parser.

More than half of the files that pass the gate have no such part and end here; of the others, libcst
reads only the functions that are left.
"""

from __future__ import annotations

import ast
from collections.abc import Set
from dataclasses import replace
from typing import NamedTuple

from ..config.settings import DEFAULT, Settings
from ..finding import SourceError
from ..vocabulary.calls import Effect
from . import excerpt
from .choice import Chosen, ImportedEffects, Needs, choose
from .excerpt import Excerpt
from .idle_classes import is_idle_class
from .outline import Outline
from .units import Unit

_ALWAYS_NAMED = frozenset({"__init__", "__call__", "step", "zero_grad"})
"""Methods whose mere existence says what their class is."""


class Selection(NamedTuple):
    """The units of a file that can matter, and the part of the file that holds them."""

    kept: Set[Unit]
    part: Excerpt


def relevant_part(
    outline: Outline,
    settings: Settings = DEFAULT,
    needs: Needs | None = None,
    imported: ImportedEffects = lambda _: Effect.NOTHING,
) -> Selection | None:
    """The part of a file that can matter; None if no enabled rule can have a finding in it.

    `needs` are those of the enabled rules; None means that one of them needs the whole file.
    `imported` says what the other modules that a unit uses may do. What Python's parser cannot
    read, because it is newer or wrong, is kept whole.
    """
    try:
        _ = outline.units
    except SyntaxError:
        return Selection(frozenset(), excerpt.unparsed(outline.lines))
    except ValueError as error:
        raise SourceError(f"cannot parse: {error}") from None
    except (RecursionError, MemoryError):
        raise SourceError("too deeply nested to analyse") from None
    own_names = frozenset(settings.own_names)
    chosen = choose(outline, own_names, needs, imported)
    return None if chosen is None else Selection(chosen.kept, _part_by_itself(chosen, outline))


def part_with(
    kept: Set[Unit],
    outline: Outline,
    mentioned: Set[str] = frozenset(),
) -> Excerpt:
    """The part of a file that holds some of its units; `mentioned` are words used elsewhere."""
    named = frozenset(mentioned).union(*(unit.words for unit in kept))
    return _without(_idle_functions(kept, outline), named, outline)


def _part_by_itself(chosen: Chosen, outline: Outline) -> Excerpt:
    """The same if nothing else uses the file: classes that these units do not mention go, too."""
    left_out = _idle_functions(chosen.kept, outline)
    named = frozenset().union(*(unit.words for unit in chosen.kept))
    classes = (owner.node for owner in outline.units.classes)
    idle = {node for node in classes if is_idle_class(node, left_out, named)}
    part = _without(left_out | idle, named, outline)
    return replace(part, acting=frozenset(unit.name for unit in chosen.acting))


def _idle_functions(kept: Set[Unit], outline: Outline) -> set[ast.AST]:
    functions = outline.units.functions
    return {unit.node for unit in functions if unit not in kept and unit.node}


def _without(left_out: Set[ast.AST], named: Set[str], outline: Outline) -> Excerpt:
    return excerpt.without(outline.tree, outline.lines, left_out, _ALWAYS_NAMED | named)
