"""Which functions do more to gradients than plain turns, in which nothing can go wrong."""

from __future__ import annotations

from collections.abc import Callable

from ..vocabulary.calls import Effect
from ..vocabulary.frameworks import RUN_BY_TORCH
from .call_graph import RUN_UNNAMED
from .call_words import CallWords
from .effects import gradient_names
from .marked_blocks import BlockReader
from .outline import Outline
from .turns import has_only_turns, read_blocks
from .units import Unit

_RUN_ANYWHERE = RUN_BY_TORCH.union(RUN_UNNAMED)
"""Methods that may run in the middle of a turn without being mentioned there."""


def add_irregular(outline: Outline, words: CallWords, is_unusual: Callable[[Unit], bool]) -> None:
    """Add `Effect.IRREGULAR` to what units do; `is_unusual` says what is not to be read here."""
    units = outline.units
    acting = [unit for unit in (units.outside, *units.functions) if unit.effects]
    unusual = set(filter(is_unusual, acting))
    readers = {unit: _read(unit, outline, words) for unit in acting if unit not in unusual}
    marked = unusual | {unit for unit, reader in readers.items() if _may_act(reader)}
    everywhere = (
        any(unit.name in _RUN_ANYWHERE for unit in marked)
        or bool(words.renamed(outline.text))
        or (words.occur_in(units.outside.text) and bool(gradient_names(units.rest)))
    )
    for unit in marked:
        reader = readers.get(unit)
        if (
            everywhere
            or reader is None
            or not has_only_turns(reader, unit, outline.text)
            or (len(marked) > 1 and not marked.isdisjoint(outline.graph.runs(unit) - {unit}))
        ):
            unit.effects |= Effect.IRREGULAR


def _read(unit: Unit, outline: Outline, words: CallWords) -> BlockReader | None:
    """The blocks of a unit, read once: what other modules add is asked after the file itself."""
    key = (unit, words)
    if key not in outline.block_readers:
        outline.block_readers[key] = read_blocks(unit, outline, words)
    return outline.block_readers[key]


def _may_act(reader: BlockReader | None) -> bool:
    return reader is None or any(function.acts for function in reader.functions)
