"""The blocks of a function, each with the marks of what its statements do to gradients."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ..vocabulary.calls import Effect
from ..vocabulary.frameworks import ACCUMULATING_CONTEXTS, LOSS_CONTEXTS
from .call_words import CallWords
from .dotted_names import last_word
from .effects import effects_of
from .marks import GradientMark, UnclearError, mark_of, update_mark
from .units import FunctionNode

_JUMPS = (ast.Break, ast.Continue, ast.Return, ast.Yield, ast.YieldFrom, ast.Await)
_PART_OF_BLOCK = re.compile(r"U*C+|D+")
"""What may stand under a test or in a loop as if it stood in the block itself: clipping, and the
backwards of several losses."""
_TELLING_CONTEXTS = ACCUMULATING_CONTEXTS | LOSS_CONTEXTS
"""Contexts in which calls mean something else."""


class MarkedBlock(NamedTuple):
    """Statements that follow each other, by the marks among them."""

    marks: list[GradientMark]
    in_try: bool
    in_branch: bool

    @property
    def letters(self) -> str:
        return "".join(mark.letter for mark in self.marks)


class BlockReader:
    """Takes a function apart into its blocks; a module without its functions, too."""

    def __init__(self, words: CallWords, gradients: frozenset[str], *, of_module: bool) -> None:
        self._words = words
        self._gradients = gradients
        self._of_module = of_module
        self.found: list[MarkedBlock] = []

    def add(
        self, body: Sequence[ast.stmt], *, in_try: bool = False, in_branch: bool = False
    ) -> None:
        """Find the marks of a block, and all blocks in it."""
        marks = [mark for each in body for mark in self._marks(each, in_try, in_branch)]
        # `update` means something else for all but loss scalers.
        scalers = {mark.scaler for mark in marks if mark.letter in "DS"} - {""}
        marks = [mark for mark in marks if mark.letter != "P" or mark.scaler in scalers]
        self.found.append(MarkedBlock(marks, in_try, in_branch))

    def _marks(self, statement: ast.stmt, in_try: bool, in_branch: bool) -> Iterator[GradientMark]:
        if self._of_module and isinstance(statement, FunctionNode):
            return  # a unit of its own
        if not self._act([statement]):
            yield from update_mark(statement)
            if any(isinstance(node, _JUMPS) for node in ast.walk(statement)):
                yield GradientMark("J")
            return
        match statement:
            case ast.With(items=items, body=body) if not any(map(_is_telling, items)):
                self._refuse_acting(item.context_expr for item in items)
                for each in body:
                    yield from self._marks(each, in_try, in_branch)
            case ast.If(test=head) | ast.While(test=head) | ast.For(iter=head):
                self._refuse_acting([head])
                is_branch = in_branch or isinstance(statement, ast.If)
                yield from self._inside([statement.body, statement.orelse], in_try, is_branch)
            case ast.Try(body=body, orelse=orelse, finalbody=finalbody, handlers=handlers):
                bodies = [body, *(handler.body for handler in handlers), orelse, finalbody]
                yield from self._inside(bodies, in_try=True, in_branch=in_branch)
            case ast.ClassDef(body=body) if self._of_module:
                self.add(body)
            case _:
                mark = mark_of(statement)
                if mark is not None:
                    yield mark

    def _inside(
        self, bodies: list[list[ast.stmt]], in_try: bool, in_branch: bool
    ) -> Iterator[GradientMark]:
        """What is under a test or in a loop: marks as of the block itself, or blocks in it."""
        before = len(self.found)
        for body in bodies:
            self.add(body, in_try=in_try, in_branch=in_branch)
        acting = [block for block in self.found[before:] if block.marks]
        each = {tuple(block.marks) for block in acting}
        if len(each) == 1 and _PART_OF_BLOCK.fullmatch(acting[0].letters):
            del self.found[before:]
            yield from acting[0].marks
        else:
            yield GradientMark("N")

    def _act(self, nodes: Iterable[ast.AST]) -> bool:
        # To look at a gradient, in a way that does not fail on None, is no act.
        effects = effects_of(nodes, self._words.effects, self._gradients)
        return bool(effects & ~Effect.READ)

    def _refuse_acting(self, heads: Iterable[ast.AST]) -> None:
        if self._act(heads):
            raise UnclearError


def _is_telling(item: ast.withitem) -> bool:
    context = item.context_expr
    name = last_word(context.func if isinstance(context, ast.Call) else context)
    return name in _TELLING_CONTEXTS
