"""Which part of a file can matter to a finding: found with Python's own, fast parser.

One in three files that pass the gate has no such part and ends here; of the others, libcst reads
only the functions that are left.
"""

from __future__ import annotations

from collections.abc import Set
from typing import NamedTuple

from ..config.settings import DEFAULT, Settings
from ..finding import SourceError
from ..vocabulary.calls import Effect
from . import excerpt
from .choice import ImportedEffects, Needs, choose
from .excerpt import Excerpt
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
        return Selection(frozenset(), excerpt.whole_file("\n".join(outline.lines)))
    except ValueError as error:
        raise SourceError(f"cannot parse: {error}") from None
    except (RecursionError, MemoryError):
        raise SourceError("too deeply nested to analyse") from None
    kept = choose(outline, frozenset(settings.own_names), needs, imported)
    return None if kept is None else Selection(kept, part_with(kept, outline))


def part_with(kept: Set[Unit], outline: Outline, mentioned: Set[str] = frozenset()) -> Excerpt:
    """The part of a file that holds some of its units; `mentioned` are words used elsewhere."""
    functions = outline.units.functions
    left_out = {unit.node for unit in functions if unit not in kept and unit.node}
    named = _ALWAYS_NAMED.union(mentioned, *(unit.words for unit in kept))
    return excerpt.without_functions(outline.tree, outline.lines, left_out, named)
