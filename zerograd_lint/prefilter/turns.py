"""Whether all that a function does to gradients is plain turns: cleared, filled and applied, one
after the other, on every way through a block.

Most code that trains is written so, and then nothing is left to ask: no way can miss one of the
three.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from ..vocabulary.calls import SCALES_LOSS
from .bindings import walk
from .call_words import CallWords
from .effects import gradient_names
from .lasting_tests import LastingTests
from .marked_blocks import BlockReader, MarkedBlock, MarkedFunction, Marks, letters_of
from .marks import GradientMark, UnclearError
from .outline import Outline
from .units import Unit

_TURN = re.compile(r"([ZJ]*)(D+)(U*)(C*)(S)P?(?=(Z*))")
"""One turn, by the letters of its marks; a zeroing after it may be the one before the next."""
_BETWEEN_TURNS = re.compile(r"[ZJN]*")
_WITHOUT_STEPS = re.compile(r"[ZJN]*[DJNR]*")
"""Gradients are made, and applied elsewhere or only looked at: but they are not cleared at once."""
_CLEARED_FOR_BACKWARD = re.compile(r"Z+D")
_LOOKED_AT_FIRST = re.compile(r"[^DN]*R")
_MODULUS = re.compile(r"%\s*([\w.]+)")
_DIVISOR = re.compile(r"/=?\s*([\w.]+)")
_SCALED = f".{SCALES_LOSS}("


def read_blocks(unit: Unit, outline: Outline, words: CallWords) -> BlockReader | None:
    """The blocks of a unit with what they do; None if that is not plain to see."""
    nodes = outline.units.nodes_of(unit)
    gradients = gradient_names(nodes) if "grad" in unit.text else frozenset[str]()
    lasting, of_module = LastingTests(nodes), unit.node is None
    reader = BlockReader(outline.lines, words, gradients, lasting, of_module=of_module)
    try:
        reader.add(outline.tree.body if unit.node is None else unit.node.body)
    except UnclearError:
        return None
    return reader


def has_only_turns(reader: BlockReader, unit: Unit, text: str) -> bool:
    """Whether the blocks of a unit are plain turns alone, or never step; `text` is the file's."""
    acting = [function for function in reader.functions if function.acts]
    blocks = [block for function in acting for block in function.blocks]
    if not (_run_apart(acting) and all(map(_looks_at_filled, acting))):
        return False
    ways = [marks for block in blocks for marks in block.ways]
    if all(_WITHOUT_STEPS.fullmatch(letters_of(marks)) for marks in ways):
        return True
    looks = any(mark.letter == "R" for marks in ways for mark in marks)
    scaled = reader.scaled_backwards
    if unit.text.count(_SCALED) != scaled or (scaled and looks):
        return False  # a loss that was scaled before, or a gradient that still is
    if reader.steps_in_branch and _may_divide_by_window(unit.text):
        return False  # the backward of a window may stand under the test of its step
    return all(_is_right(turn, unit, text) for block in blocks for turn in _turns(block))


def _run_apart(functions: Sequence[MarkedFunction]) -> bool:
    """Whether no acting function may run another one in the middle of a turn."""
    if len(functions) < 2:
        return True
    nodes = [function.node for function in functions if function.node is not None]
    names = {node.name for node in nodes}
    return len(nodes) == len(functions) and not any(
        type(part) is ast.Name and part.id in names for part in walk(nodes)
    )


def _looks_at_filled(function: MarkedFunction) -> bool:
    """Whether gradients are looked at only where a backward has left some."""
    ways = [letters_of(marks) for block in function.blocks for marks in block.ways]
    if not any("R" in letters for letters in ways):
        return True
    return not any(
        "Z" in _CLEARED_FOR_BACKWARD.sub("", letters) or _LOOKED_AT_FIRST.match(letters)
        for letters in ways
    )


def _may_divide_by_window(text: str) -> bool:
    """Whether something is divided by what a counter is compared with: `loss / n`, `i % n`."""
    return not {*_MODULUS.findall(text)}.isdisjoint(_DIVISOR.findall(text))


class _Turn(NamedTuple):
    """Marks on one way that clear, fill and apply gradients."""

    zeroed: set[str]
    """What is cleared, as it is spelt."""
    deposits: Marks
    unscalings: Marks
    clips: Marks
    step: GradientMark
    update: GradientMark | None
    """The next one of a loss scaler on the way."""

    @property
    def is_scaled_right(self) -> bool:
        """Whether it uses no loss scaler, or one as it should be."""
        scalers = {mark.scaler for mark in (*self.deposits, *self.unscalings, self.step)}
        if scalers == {""}:
            return not self.unscalings
        if self.update is None or scalers != {self.update.scaler}:
            return False
        unscaled = [mark.owner for mark in self.unscalings]
        return not (self.clips or unscaled) or unscaled == [self.step.owner]


def _turns(block: MarkedBlock) -> Iterator[_Turn | None]:
    """The turns on each way through a block, and None for all else that acts."""
    for marks in block.ways:
        marks = tuple(mark for mark in marks if mark.letter != "R")
        letters = letters_of(marks)
        if not _BETWEEN_TURNS.fullmatch(_TURN.sub("", letters)):
            yield None
        for turn in _TURN.finditer(letters):
            before, deposits, unscalings, clips, (step,), after = (
                marks[turn.start(group) : turn.end(group)] for group in range(1, 7)
            )
            zeroed = {mark.owner for mark in before if mark.letter == "Z"}
            if not zeroed and not block.in_try:
                zeroed = {mark.owner for mark in after}
            update = next((m for m in marks[turn.start() :] if m.letter == "P"), None)
            yield _Turn(zeroed, deposits, unscalings, clips, step, update)


def _is_right(turn: _Turn | None, unit: Unit, text: str) -> bool:
    """Whether a turn is one in which nothing can go wrong."""
    if turn is None or not turn.is_scaled_right:
        return False
    optimizer = _optimizer(turn.step.owner, text)
    return optimizer.is_cleared(turn.zeroed) and optimizer.may_be_fed(unit)


@lru_cache(16)
def _optimizer(spelt: str, text: str) -> _Optimizer:
    return _Optimizer(spelt, text)


class _Optimizer:
    """What is stepped, and what the text of the file says about how it was made."""

    def __init__(self, spelt: str, text: str) -> None:
        assigned = rf"(?<![\w.]){re.escape(spelt)}\s*=(?!=)"
        over = r"\s*[\w.]+\(\s*(?:params\s*=\s*)?([\w.]+)\.parameters\(\)"
        made = re.findall(f"{assigned}(?:{over})?", text)
        self._spelt = spelt
        self._networks = {*made} - {""}
        """Those whose parameters it was made over, if it was made in view."""
        self._is_known = "" not in made

    def is_cleared(self, zeroed: set[str]) -> bool:
        """Whether clearing these clears it: itself, or each network it may have been made over."""
        if self._spelt in zeroed:
            return True
        return self._is_known and bool(self._networks) and self._networks <= zeroed

    def may_be_fed(self, unit: Unit) -> bool:
        """Whether a unit mentions what it was made over, so that a loss there may reach it."""
        last = {network.rpartition(".")[2] for network in self._networks}
        return not last or not last.isdisjoint(unit.words)
