"""Parse a text that is nearly one that has been parsed: only the statements that have changed.

Statements at the left margin stand for themselves. Those above the first changed line begin and end
as they did, if the next one has begun there, too. Those below the last changed line do, if all
between can be parsed by itself and no line has moved.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ..files import python_parser


class Change:
    """What has changed from the lines of a parsed module to those of its next version."""

    def __init__(self, before: Sequence[str], tree: ast.Module, lines: Sequence[str]) -> None:
        self._before = before
        self._body = tree.body
        self._lines = lines
        above = _common(before, lines)
        # The last one that begins above the change may go on into it.
        first = sum(_start(statement) <= above for statement in self._body) - 1
        while first > 0 and _share_a_line(self._body[first - 1], self._body[first]):
            first -= 1
        self._first = max(first, 0)

    @property
    def line(self) -> int:
        """The line from which on the text must be parsed again."""
        return _start(self._body[self._first]) if self._first else 1

    def parse(self) -> ast.Module:
        """The tree of the new lines; raises what `ast.parse` raises."""
        body = self._body
        last = self._last()
        if last < len(body):
            try:
                changed = self._parse_lines(_start(body[last]) - 1)
                return ast.Module([*body[: self._first], *changed, *body[last:]], [])
            except SyntaxError:
                pass  # it may belong together with what follows
        rest = self._parse_lines(len(self._lines))
        return ast.Module([*body[: self._first], *rest], [])

    def _last(self) -> int:
        """The first of the statements that stay below the change."""
        body, lines = self._body, self._lines
        last = len(body)
        if len(lines) == len(self._before):
            below = _common(lines[::-1], self._before[::-1])
            while last > self._first and _start(body[last - 1]) > len(lines) - below:
                last -= 1
        while 0 < last < len(body) and _share_a_line(body[last - 1], body[last]):
            last += 1
        return last

    def _parse_lines(self, end: int) -> list[ast.stmt]:
        """The changed statements, up to a line; all keep their numbers."""
        above = self.line - 1
        end_of_line = "\n" if end < len(self._lines) else ""
        text = "\n".join(self._lines[above:end])
        return python_parser.parse("\n" * above + text + end_of_line).body


def _common(some: Sequence[str], others: Sequence[str]) -> int:
    """How many lines are the same at the beginning."""
    for number, (one, other) in enumerate(zip(some, others, strict=False)):
        if one != other:
            return number
    return min(len(some), len(others))


def _share_a_line(one: ast.stmt, next_one: ast.stmt) -> bool:
    return (one.end_lineno or 0) >= _start(next_one)


def _start(statement: ast.stmt) -> int:
    """The line that a statement begins on, decorators included."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(decorator.lineno for decorator in decorators)])
