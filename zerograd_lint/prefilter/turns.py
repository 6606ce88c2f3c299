"""Whether all that a function does to gradients is plain turns: cleared, filled and applied in one
block.

Most code that trains is written so, and then nothing is left to ask: no way through the block can
miss one of the three.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ..vocabulary.calls import SCALES_LOSS
from .call_words import CallWords
from .effects import gradient_names
from .marked_blocks import BlockReader, MarkedBlock
from .marks import GradientMark, UnclearError
from .outline import Outline
from .units import Unit

_TURN = re.compile(r"([ZJ]*)(D+)(U*)(C*)(S)(P?)(?=(Z*))")
"""One turn, by the letters of its marks; a zeroing after it may be the one before the next."""
_BETWEEN_TURNS = re.compile(r"[ZJN]*")
_WITHOUT_STEPS = re.compile(r"[ZJN]*[DJN]*")
"""Gradients are made, and applied elsewhere or only looked at: but they are not cleared at once."""
_MODULUS = re.compile(r"%\s*([\w.]+)")
_DIVISOR = re.compile(r"/=?\s*([\w.]+)")
_SCALED = f".{SCALES_LOSS}("


def blocks_of(unit: Unit, outline: Outline, words: CallWords) -> list[MarkedBlock] | None:
    """The blocks of a unit with what they do; None if that is not plain to see."""
    nodes = outline.units.nodes_of(unit)
    gradients = gradient_names(nodes) if "grad" in unit.text else frozenset[str]()
    reader = BlockReader(words, gradients, of_module=unit.node is None)
    try:
        reader.add(outline.tree.body if unit.node is None else unit.node.body)
    except UnclearError:
        return None
    return reader.found


def are_only_turns(blocks: list[MarkedBlock], unit: Unit, text: str) -> bool:
    """Whether the blocks of a unit are plain turns alone, or never step; `text` is the file's."""
    if all(_WITHOUT_STEPS.fullmatch(block.letters) for block in blocks):
        return True
    scaled = sum(mark.letter == "D" and bool(mark.scaler) for b in blocks for mark in b.marks)
    if unit.text.count(_SCALED) != scaled:
        return False  # a loss that was scaled before
    if _may_divide_by_window(unit.text) and any(b.in_branch and "S" in b.letters for b in blocks):
        return False  # the backward of a window may stand under the test of its step
    for block in blocks:
        if not _BETWEEN_TURNS.fullmatch(_TURN.sub("", block.letters)):
            return False
        for turn in _turns(block):
            optimizer = _Optimizer(turn.step.owner, text)
            if not (
                turn.is_scaled_right
                and optimizer.is_cleared(turn.zeroed)
                and optimizer.may_be_fed(unit)
            ):
                return False
    return True


def _may_divide_by_window(text: str) -> bool:
    """Whether something is divided by what a counter is compared with: `loss / n`, `i % n`."""
    return not {*_MODULUS.findall(text)}.isdisjoint(_DIVISOR.findall(text))


class _Turn(NamedTuple):
    """Statements of one block that clear, fill and apply gradients."""

    zeroed: set[str]
    """What is cleared, as it is spelt."""
    deposits: list[GradientMark]
    unscalings: list[GradientMark]
    clips: list[GradientMark]
    step: GradientMark
    updates: list[GradientMark]

    @property
    def is_scaled_right(self) -> bool:
        """Whether it uses no loss scaler, or one as it should be."""
        marks = (*self.deposits, *self.unscalings, self.step, *self.updates)
        scalers = {mark.scaler for mark in marks}
        if scalers == {""}:
            return not self.unscalings
        unscaled = [mark.owner for mark in self.unscalings]
        if self.clips or unscaled:
            return len(scalers) == len(self.updates) == 1 and unscaled == [self.step.owner]
        return len(scalers) == len(self.updates) == 1


def _turns(block: MarkedBlock) -> list[_Turn]:
    found = []
    for turn in _TURN.finditer(block.letters):
        before, deposits, unscalings, clips, steps, updates, after = (
            block.marks[turn.start(group) : turn.end(group)] for group in range(1, 8)
        )
        zeroed = {mark.owner for mark in before if mark.letter == "Z"}
        if not zeroed and not block.in_try:
            zeroed = {mark.owner for mark in after}
        found.append(_Turn(zeroed, deposits, unscalings, clips, steps[0], updates))
    return found


class _Optimizer:
    """What is stepped, and what the text of the file says about how it was made."""

    def __init__(self, spelt: str, text: str) -> None:
        assigned = rf"(?<![\w.]){re.escape(spelt)}\s*=(?!=)"
        over = r"\s*[\w.]+\(\s*(?:params\s*=\s*)?([\w.]+)\.parameters\(\)"
        self._spelt = spelt
        self._networks = set(re.findall(assigned + over, text))
        """Those whose parameters it was made over, if it was made in view."""
        self._is_known = len(re.findall(assigned, text)) == len(re.findall(assigned + over, text))

    def is_cleared(self, zeroed: set[str]) -> bool:
        """Whether clearing these clears it: itself, or each network it may have been made over."""
        if self._spelt in zeroed:
            return True
        return self._is_known and bool(self._networks) and self._networks <= zeroed

    def may_be_fed(self, unit: Unit) -> bool:
        """Whether a unit mentions what it was made over, so that a loss there may reach it."""
        last = {network.rpartition(".")[2] for network in self._networks}
        return not last or not last.isdisjoint(unit.words)
