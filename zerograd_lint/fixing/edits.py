"""Turn a plan into edits of the text, or refuse where that would touch other code."""

from __future__ import annotations

import re

import libcst as cst

from ..events.site import Site
from ..finding import Edit, Fix, Position, Span
from ..syntax.positions import Positions
from ..syntax.walk import children, inside
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
from .source_lines import SourceLines

_HEAD = re.compile(r"(?P<code>[^#]*:)[ \t]*(?:#.*)?$", re.MULTILINE)


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
        self._lines = SourceLines(text)

    def fix(self, plan: Plan) -> Fix | None:
        """The edits of a plan; None if one of its changes has to be refused."""
        if any(site.function.module for change in plan.changes for site in _places(change)):
            return None  # another file
        try:
            edits = [edit for change in plan.changes for edit in self._edits(change)]
        except Refused:
            return None
        return Fix(plan.title, tuple(edits), plan.safe)

    def _edits(self, change: Change) -> list[Edit]:
        match change:
            case InsertBefore(place, code):
                return [self._insert_before(place, [code])]
            case InsertAfter(place, code):
                return [self._insert_after(place, [code])]
            case MoveBefore(moved, place):
                arrival = self._insert_before(place, self._code(moved))
                return sorted([self._removal(moved), arrival], key=lambda edit: edit.span.start)
            case MoveAfter(moved, place):
                arrival = self._insert_after(place, self._code(moved))
                return sorted([self._removal(moved), arrival], key=lambda edit: edit.span.start)
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

    # --- what is there ----------------------------------------------------------------------

    def _lines_of(self, place: Site) -> tuple[int, int]:
        """First and last line of a statement that has its lines to itself."""
        span = self._span(place.statement)
        if not place.own_line or self._lines.before(span.start).strip():
            raise Refused
        # A compound statement ends where the next line begins.
        return span.start.line, span.end.line - (span.end.column == 1)

    def _indent(self, place: Site) -> str:
        return self._lines.before(self._span(place.statement).start)

    def _top(self, place: Site) -> int:
        """The first line that belongs to a statement, the comment above it included."""
        return self._lines.comment_start(self._lines_of(place)[0], self._indent(place))

    def _code(self, place: Site) -> list[str]:
        """The lines of a statement and of the comment above it, without their indentation."""
        if _binds_name(place.statement):
            raise Refused
        if not place.own_line:
            neighbours, at = _on_one_line(place)
            return [self._lines.text(self._span(neighbours[at]))]
        indent = self._indent(place)
        found = self._lines.between(self._top(place), self._lines_of(place)[1])
        if any(text and not text.startswith(indent) for text in found):
            raise Refused
        return [text[len(indent) :] for text in found]

    # --- what is to be there ----------------------------------------------------------------

    def _insert_before(self, place: Site, code: list[str]) -> Edit:
        if place.own_line:
            return self._insert(self._top(place), place, code)
        neighbours, at = _on_one_line(place)
        start = self._span(neighbours[at]).start
        return Edit(Span(start, start), f"{_single(code)}; ")

    def _insert_after(self, place: Site, code: list[str]) -> Edit:
        if place.own_line:
            return self._insert(self._lines_of(place)[1] + 1, place, code)
        neighbours, at = _on_one_line(place)
        end = self._span(neighbours[at]).end
        return Edit(Span(end, end), f"; {_single(code)}")

    def _insert(self, line: int, place: Site, code: list[str]) -> Edit:
        indent = self._indent(place)
        text = self._lines.ending(line).join(indent + part if part else part for part in code)
        return self._lines.insertion(line, text)

    def _removal(self, moved: Site) -> Edit:
        """Take out a statement with its comment, and what would stand empty without it."""
        if not moved.own_line:
            return self._removal_from_line(moved)
        first, last = self._top(moved), self._lines_of(moved)[1]
        if self._lines.is_unended(last):
            raise Refused
        left = ""
        if moved.only:
            around = self._emptied_test(moved)
            if around is not None:
                first, last = around
            else:
                left = f"{self._indent(moved)}pass{self._lines.ending(first)}"
        return Edit(Span(Position(first, 1), Position(last + 1, 1)), left)

    def _removal_from_line(self, moved: Site) -> Edit:
        """Take one of several statements out of their line."""
        neighbours, at = _on_one_line(moved)
        spans = [self._span(small) for small in neighbours]
        if len(spans) == 1:
            raise Refused
        if at + 1 < len(spans):
            return Edit(Span(spans[at].start, spans[at + 1].start), "")
        return Edit(Span(spans[at - 1].end, spans[at].end), "")

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
        inside_first, inside_last = self._top(moved), self._lines_of(moved)[1]
        rest = [
            *self._lines.between(first, inside_first - 1),
            *self._lines.between(inside_last + 1, last),
        ]
        if _acts(test.test) or any("#" in text for text in rest):
            return None
        return first, last

    def _replace_loop(self, place: Site, code: str) -> list[Edit]:
        """A loop becomes one line; a comment behind its head stays."""
        span = self._span(place.node)
        first = span.start.line
        last = span.end.line - 1 if span.end.column == 1 else span.end.line
        head = _HEAD.match(self._lines.between(first, first)[0])
        if head is None or last == first:
            raise Refused
        colon = Position(first, head.end("code") + 1)
        return [
            Edit(Span(span.start, colon), code),
            Edit(Span(Position(first + 1, 1), Position(last + 1, 1)), ""),
        ]

    def _guard(self, place: Site, test: str) -> Edit:
        first, last = self._lines_of(place)
        # The name that is tested may belong to a comprehension.
        if last > first or any(isinstance(node, cst.CompFor) for node in inside(place.statement)):
            raise Refused
        indent = self._indent(place)
        deeper = indent + ("\t" if "\t" in indent else "    ")
        start, end = Position(first, len(indent) + 1), self._lines.end_of(last)
        body = self._lines.text(Span(start, end))
        opening = f"if {test}:{self._lines.ending(first)}{deeper}"
        return Edit(Span(start, end), opening + body)


def _on_one_line(place: Site) -> tuple[list[cst.BaseSmallStatement], int]:
    """The statements of a line that several share, and which of them a place is in."""
    line = place.statement
    if isinstance(line, cst.SimpleStatementLine | cst.SimpleStatementSuite):
        for at, small in enumerate(line.body):
            if place.node is small or any(node is place.node for node in inside(small)):
                return list(line.body), at
    raise Refused


def _binds_name(statement: cst.CSTNode) -> bool:
    """Whether a statement gives a variable its value, which other code may need where it is."""
    bodies = statement.body if isinstance(statement, cst.SimpleStatementLine) else ()
    return any(
        isinstance(small, cst.Assign) and any(isinstance(t.target, cst.Name) for t in small.targets)
        for small in bodies
    )


def _single(code: list[str]) -> str:
    """Code that fits between the statements of a line."""
    if len(code) > 1 or "#" in code[0]:
        raise Refused
    return code[0]


def _acts(expression: cst.CSTNode) -> bool:
    """Whether evaluating an expression may do more than give a value."""
    if isinstance(expression, cst.Call | cst.Await | cst.NamedExpr | cst.Yield):
        return True
    return any(_acts(child) for child in children(expression))
