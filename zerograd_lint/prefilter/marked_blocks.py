"""The blocks of a function, with what each way through them does to gradients."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..vocabulary.calls import SCALER_METHODS, Effect
from ..vocabulary.frameworks import ACCUMULATING_CONTEXTS, LOSS_CONTEXTS
from .bindings import walk
from .call_words import CallWords
from .dotted_names import last_word
from .effects import effects_of
from .lasting_tests import Answer, LastingTests
from .marks import GradientMark, UnclearError, mark_of, update_mark
from .units import FunctionNode

_JUMP = re.compile(r"\b(?:break|continue|return|yield|await)\b")
_JUMPS = (ast.Break, ast.Continue, ast.Return, ast.Yield, ast.YieldFrom, ast.Await)
_TELLING_WORDS = ("grad", "exec", *sorted(SCALER_METHODS))
"""What is in the text of a statement that acts on gradients by a name in quotes, or by a scaler."""
_PART_OF_BLOCK = re.compile(r"U*C+|D+")
"""What may stand under a test or in a loop as if it stood in the block itself: clipping, and the
backwards of several losses."""
_TELLING_CONTEXTS = ACCUMULATING_CONTEXTS | LOSS_CONTEXTS
"""Contexts in which calls mean something else."""
_LOOKS = Effect.READ | Effect.NEEDED
_MOST_WAYS = 16

Marks = tuple[GradientMark, ...]


def letters_of(marks: Iterable[GradientMark]) -> str:
    """The letters of marks, one after the other."""
    return "".join(mark.letter for mark in marks)


class MarkedBlock(NamedTuple):
    """Statements that follow each other, by the marks on each way through them."""

    ways: frozenset[Marks]
    in_try: bool


class MarkedFunction(NamedTuple):
    """A function, or a function in it, by its blocks."""

    node: ast.FunctionDef | None
    """None for a unit as a whole, without the functions in it."""
    blocks: list[MarkedBlock]

    @property
    def acts(self) -> bool:
        """Whether it does anything to gradients itself."""
        return any(m.letter not in "JN" for b in self.blocks for marks in b.ways for m in marks)


class _Way(NamedTuple):
    """A way through statements, and the answers to lasting tests that it takes."""

    marks: Marks = ()
    answers: frozenset[Answer] = frozenset()

    def followed_by(self, other: _Way) -> _Way | None:
        """Both one after the other; None where they need different answers."""
        if any((test, not answer) in self.answers for test, answer in other.answers):
            return None
        return _Way(self.marks + other.marks, self.answers | other.answers)


_IDLE = [_Way()]


class BlockReader:
    """Takes a unit apart into the blocks of its functions; a module without its functions, too."""

    def __init__(
        self,
        lines: Sequence[str],
        words: CallWords,
        gradients: frozenset[str],
        lasting: LastingTests,
        *,
        of_module: bool,
    ) -> None:
        self._lines = lines
        self._words = words
        self._gradients = gradients
        self._by_name = re.compile("|".join([*_TELLING_WORDS, *map(re.escape, sorted(gradients))]))
        self._lasting = lasting
        self._of_module = of_module
        self._branches = 0
        self._blocks: list[MarkedBlock] = []
        self.functions = [MarkedFunction(None, self._blocks)]
        self.steps_in_branch = False
        """Whether there is a step that a test decides about."""
        self.scaled_backwards = 0

    def add(self, body: Sequence[ast.stmt], *, in_try: bool = False) -> None:
        """Find the ways through a block, and all blocks in it."""
        self._add_block(self._ways(body, in_try), in_try)

    def _add_block(self, ways: list[_Way], in_try: bool) -> None:
        # `update` means something else for all but loss scalers.
        scalers = {m.scaler for way in ways for m in way.marks if m.letter in "DS"} - {""}
        found = frozenset(
            tuple(m for m in way.marks if m.letter != "P" or m.scaler in scalers) for way in ways
        )
        self._blocks.append(MarkedBlock(found, in_try))

    def _ways(self, body: Sequence[ast.stmt], in_try: bool) -> list[_Way]:
        ways = _IDLE
        for statement in body:
            then = self._ways_of(statement, in_try)
            if then is not _IDLE:
                both = {way.followed_by(more) for way in ways for more in then}
                ways = [way for way in both if way is not None]
            if len(ways) > _MOST_WAYS:
                raise UnclearError
        return ways

    def _ways_of(self, statement: ast.stmt, in_try: bool) -> list[_Way]:
        if self._of_module and isinstance(statement, FunctionNode):
            return _IDLE  # a unit of its own
        text = self._text(statement)
        effects = self._effects([statement]) if self._may_act(text) else Effect.NOTHING
        if effects in _LOOKS:
            return _one_way(*_look(statement, effects, text))
        match statement:
            case ast.With(items=items, body=body) if not any(map(_is_telling, items)):
                self._refuse_acting(item.context_expr for item in items)
                return self._ways(body, in_try)
            case ast.If(test=test):
                self._refuse_acting([test])
                return self._branch(statement, in_try)
            case ast.While(test=head) | ast.For(iter=head):
                self._refuse_acting([head])
                return self._inside([statement.body, statement.orelse], in_try)
            case ast.Try(body=body, orelse=orelse, finalbody=finalbody, handlers=handlers):
                bodies = [body, *(handler.body for handler in handlers), orelse, finalbody]
                return self._inside(bodies, in_try=True)
            case ast.ClassDef(body=body) if self._of_module:
                self.add(body)
                return _IDLE
            case ast.FunctionDef():
                return self._function(statement)
        mark = mark_of(statement)
        if mark is None:
            return _IDLE
        self.steps_in_branch |= mark.letter == "S" and self._branches > 0
        self.scaled_backwards += mark.letter == "D" and bool(mark.scaler)
        return _one_way(mark)

    def _branch(self, statement: ast.If, in_try: bool) -> list[_Way]:
        """Both ways through a test."""
        self._branches += 1
        bodies = [self._ways(body, in_try) for body in (statement.body, statement.orelse)]
        self._branches -= 1
        part = _part_of_block(way for ways in bodies for way in ways)
        if part is not None:
            return _one_way(*part)
        question = self._lasting.question(statement.test)
        if question is None:
            return [*bodies[0], *bodies[1]]
        test, answer = question
        answers = (_Way((), frozenset({(test, given)})) for given in (answer, not answer))
        return [
            both
            for way, ways in zip(answers, bodies, strict=True)
            for each in ways
            if (both := way.followed_by(each)) is not None
        ]

    def _inside(self, bodies: list[list[ast.stmt]], in_try: bool) -> list[_Way]:
        """What is in a loop or tried: marks as of the block itself, or blocks in it."""
        found = [self._ways(body, in_try) for body in bodies]
        part = _part_of_block(way for ways in found for way in ways)
        if part is not None:
            return _one_way(*part)
        for ways in found:
            self._add_block(ways, in_try)
        return _one_way(GradientMark("N"))

    def _function(self, node: ast.FunctionDef) -> list[_Way]:
        """A function that is defined here has blocks of its own: it runs when it is called."""
        outer, self._blocks = self._blocks, []
        self.add(node.body)
        self.functions.append(MarkedFunction(node, self._blocks))
        self._blocks = outer
        return _IDLE

    def _text(self, statement: ast.stmt) -> str:
        first, last = statement.lineno, statement.end_lineno or statement.lineno
        if first < last:
            return "\n".join(self._lines[first - 1 : last])
        # Many statements may share a line; columns are counted in bytes.
        line, part = self._lines[first - 1], slice(statement.col_offset, statement.end_col_offset)
        return line[part] if line.isascii() else line.encode()[part].decode()

    def _may_act(self, text: str) -> bool:
        """Whether a statement has a word of gradients in it: few have."""
        return self._words.occur_in(text) or self._by_name.search(text) is not None

    def _effects(self, nodes: Iterable[ast.AST]) -> Effect:
        return effects_of(nodes, self._words.effects, self._gradients)

    def _refuse_acting(self, heads: Iterable[ast.AST]) -> None:
        # To look at a gradient, in a way that does not fail on None, is no act.
        if self._effects(heads) & ~Effect.READ:
            raise UnclearError


def _one_way(*marks: GradientMark) -> list[_Way]:
    return [_Way(marks)] if marks else _IDLE


def _look(statement: ast.stmt, effects: Effect, text: str) -> list[GradientMark]:
    """The marks of a statement that does no more than look at gradients; `text` is its own."""
    marks = list(update_mark(statement))
    if Effect.NEEDED in effects:
        marks.append(GradientMark("R"))
    if _JUMP.search(text) and any(isinstance(node, _JUMPS) for node in walk([statement])):
        marks.append(GradientMark("J"))
    return marks


def _part_of_block(ways: Iterable[_Way]) -> Marks | None:
    """The marks of the only thing that these ways do, if it may count as done on all of them."""
    acting = {way.marks for way in ways if way.marks}
    if len(acting) == 1 and _PART_OF_BLOCK.fullmatch(letters_of(*acting)):
        return acting.pop()
    return None


def _is_telling(item: ast.withitem) -> bool:
    context = item.context_expr
    name = last_word(context.func if isinstance(context, ast.Call) else context)
    return name in _TELLING_CONTEXTS
