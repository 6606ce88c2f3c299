"""Which functions do more to gradients than plain turns, in which nothing can go wrong."""

from __future__ import annotations

from collections.abc import Callable

from ..vocabulary.calls import Effect
from ..vocabulary.frameworks import RUN_BY_TORCH
from .call_graph import RUN_UNNAMED
from .call_words import CallWords
from .effects import gradient_names
from .marked_blocks import MarkedBlock
from .outline import Outline
from .turns import are_only_turns, blocks_of
from .units import Unit

_RUN_ANYWHERE = RUN_BY_TORCH.union(RUN_UNNAMED)
"""Methods that may run in the middle of a turn without being mentioned there."""


def add_irregular(outline: Outline, words: CallWords, is_unusual: Callable[[Unit], bool]) -> None:
    """Add `Effect.IRREGULAR` to what units do; `is_unusual` says what is not to be read here."""
    units = outline.units
    acting = [unit for unit in (units.outside, *units.functions) if unit.effects]
    blocks = {unit: blocks_of(unit, outline, words) for unit in acting}
    marked = {unit for unit in acting if _may_act(blocks[unit]) or is_unusual(unit)}
    everywhere = (
        any(unit.name in _RUN_ANYWHERE for unit in marked)
        or bool(words.renamed(outline.text))
        or (words.occur_in(units.outside.text) and bool(gradient_names(units.rest)))
    )
    for unit in marked:
        found = blocks[unit]
        if (
            everywhere
            or found is None
            or is_unusual(unit)
            or not are_only_turns(found, unit, outline.text)
            or not marked.isdisjoint(outline.graph.runs(unit) - {unit})
        ):
            unit.effects |= Effect.IRREGULAR


def _may_act(blocks: list[MarkedBlock] | None) -> bool:
    return blocks is None or any(mark.letter not in "JN" for b in blocks for mark in b.marks)
