"""Turn a plan into edits of the text, or refuse where that would touch other code."""

from __future__ import annotations

import re

import libcst as cst

from ..events.site import Site
from ..finding import Edit, Fix, Position, Span
from ..syntax.positions import Positions
from ..syntax.walk import children
from .plan import (
    AddCall,
    Change,
    GuardBy,
    InsertAfter,
    InsertBefore,
    MoveAfter,
    MoveBefore,
    Plan,
    Remove,
    Replace,
)

_HEAD = re.compile(r"(?P<code>[^#]*:)[ \t]*(?:#.*)?$", re.MULTILINE)
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")


def _places(change: Change) -> tuple[Site, ...]:
    """The places that a change is about."""
    if isinstance(change, MoveBefore | MoveAfter):
        return change.moved, change.place
    return (change.place,)


class Refused(Exception):
    """This change cannot be written without touching something else."""


class Editor:
    """Writes the edits of one file's plans."""

    def __init__(self, text: str, positions: Positions) -> None:
        self._span = positions.span
        self._lines: list[str] = _LINE.findall(text)

    def fix(self, plan: Plan) -> Fix | None:
        """The edits of a plan; None if one of its changes has to be refused."""
        if any(site.function.module for change in plan.changes for site in _places(change)):
            return None  # another file
        try:
            edits = [edit for change in plan.changes for edit in self._edits(change)]
        except Refused:
            return None
        return Fix(plan.message, tuple(edits), plan.safe)

    def _edits(self, change: Change) -> list[Edit]:
        match change:
            case InsertBefore(place, code):
                return [self._insert(self._lines_of(place)[0], place, code)]
            case InsertAfter(place, code):
                return [self._insert(self._lines_of(place)[1] + 1, place, code)]
            case MoveBefore(moved, place):
                first, _ = self._lines_of(place)
                return self._move(moved, place, first)
            case MoveAfter(moved, place):
                _, last = self._lines_of(place)
                return self._move(moved, place, last + 1)
            case AddCall(place):
                end = self._span(place.node).end
                return [Edit(Span(end, end), "()")]
            case GuardBy(place, test):
                return [self._guard(place, test)]
            case Remove(place):
                return [self._removal(place)]
            case Replace(place, code):
                if isinstance(place.node, cst.For):
                    return self._replace_loop(place, code)
                return [Edit(self._span(place.node), code)]

    def _lines_of(self, place: Site) -> tuple[int, int]:
        """First and last line of a statement that has its lines to itself."""
        if not place.own_line:
            raise Refused
        span = self._span(place.statement)
        before = self._lines[span.start.line - 1][: span.start.column - 1]
        if before.strip():
            raise Refused
        # A compound statement ends where the next line begins.
        return span.start.line, span.end.line - (span.end.column == 1)

    def _indent(self, place: Site) -> str:
        start = self._span(place.statement).start
        return self._lines[start.line - 1][: start.column - 1]

    def _ending(self, line: int) -> str:
        """The line ending in use around a line."""
        for number in (line - 1, line - 2, 0):
            if 0 <= number < len(self._lines):
                text = self._lines[number]
                ending = text[len(text.rstrip("\r\n")) :]
                if ending:
                    return ending
        return "\n"

    def _insert(self, line: int, place: Site, code: str) -> Edit:
        return self._insert_text(line, self._indent(place) + code)

    def _insert_text(self, line: int, text: str) -> Edit:
        """New lines in front of line number `line`, which may be one past the end."""
        ending = self._ending(line)
        if line > len(self._lines) and not self._lines[-1].endswith(("\n", "\r")):
            at = Position(len(self._lines), len(self._lines[-1]) + 1)
            return Edit(Span(at, at), ending + text)
        at = Position(line, 1)
        return Edit(Span(at, at), text + ending)

    def _move(self, moved: Site, place: Site, line: int) -> list[Edit]:
        first, last = self._lines_of(moved)
        old, new = self._indent(moved), self._indent(place)
        body = [text.rstrip("\r\n") for text in self._lines[first - 1 : last]]
        if any(text and not text.startswith(old) for text in body):
            raise Refused
        moved_text = self._ending(first).join(new + text[len(old) :] for text in body)
        if last == len(self._lines) and not self._lines[-1].endswith(("\n", "\r")):
            raise Refused
        return sorted(
            [self._removal(moved), self._insert_text(line, moved_text)],
            key=lambda edit: edit.span.start,
        )

    def _removal(self, moved: Site) -> Edit:
        """Take out the lines of a statement, and what would stand empty without it."""
        first, last = self._lines_of(moved)
        left = ""
        if moved.only:
            around = self._emptied_test(moved)
            if around is not None:
                first, last = around
            else:
                left = f"{self._indent(moved)}pass{self._ending(first)}"
        return Edit(Span(Position(first, 1), Position(last + 1, 1)), left)

    def _emptied_test(self, moved: Site) -> tuple[int, int] | None:
        """The lines of an `if` that holds this statement and nothing else worth keeping."""
        if not moved.branches:
            return None
        around = moved.branches[-1]
        test = around.node
        # The test of an `elif` belongs to a statement that stays.
        if test is not around.statement or not isinstance(test, cst.If) or not around.own_line:
            return None
        if test.orelse is not None or list(test.body.body) != [moved.statement] or around.only:
            return None
        first, last = self._lines_of(around)
        inner_first, inner_last = self._lines_of(moved)
        rest = self._lines[first - 1 : inner_first - 1] + self._lines[inner_last:last]
        if _acts(test.test) or any("#" in text for text in rest):
            return None
        return first, last

    def _replace_loop(self, place: Site, code: str) -> list[Edit]:
        """A loop becomes one line; a comment behind its head stays."""
        span = self._span(place.node)
        first = span.start.line
        last = span.end.line - 1 if span.end.column == 1 else span.end.line
        head = _HEAD.match(self._lines[first - 1])
        if head is None or last == first:
            raise Refused
        colon = Position(first, head.end("code") + 1)
        return [
            Edit(Span(span.start, colon), code),
            Edit(Span(Position(first + 1, 1), Position(last + 1, 1)), ""),
        ]

    def _guard(self, place: Site, test: str) -> Edit:
        first, last = self._lines_of(place)
        indent = self._indent(place)
        deeper = indent + ("\t" if "\t" in indent else "    ")
        body = "".join(self._lines[first - 1 : last])
        shifted = deeper + body[len(indent) :]
        if last > first:
            raise Refused
        opening = f"{indent}if {test}:{self._ending(first)}"
        whole = Span(Position(first, 1), Position(last, len(self._lines[last - 1]) + 1))
        return Edit(whole, opening + shifted)


def _acts(expression: cst.CSTNode) -> bool:
    """Whether evaluating an expression may do more than give a value."""
    if isinstance(expression, cst.Call | cst.Await | cst.NamedExpr | cst.Yield):
        return True
    return any(_acts(child) for child in children(expression))
