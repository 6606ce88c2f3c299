"""Edits of whole statements that leave every other line as its author wrote it."""

from __future__ import annotations

import ast
import re

_END = re.compile(r"\r\n|\r|\n")


class Lines:
    """A text to be edited statement by statement; several edits may be made before it is read."""

    def __init__(self, text: str) -> None:
        self.original = text
        self._lines = _split(text)
        self._before: dict[int, list[str]] = {}
        self._replaced: dict[int, list[str]] = {}

    def is_plain(self, statement: ast.stmt) -> bool:
        """Whether the statement has its lines to itself (a trailing comment may stay with it)."""
        last = self._lines[(statement.end_lineno or statement.lineno) - 1].encode()
        after = last[statement.end_col_offset or 0 :].decode(errors="replace").strip()
        return not self.indent(statement).strip() and (not after or after.startswith("#"))

    def indent(self, statement: ast.stmt) -> str:
        return self._lines[statement.lineno - 1][: statement.col_offset]

    def source(self, statement: ast.stmt) -> str:
        """The statement on one line, without indentation and comment."""
        return ast.unparse(statement)

    def delete(self, statement: ast.stmt, block: tuple[ast.stmt, ...], gone: set[ast.stmt]) -> None:
        """Take a statement out; a block that would be empty gets a `pass`."""
        left = [s for s in block if s not in gone]
        first_of_empty = not left and block[0] is statement
        self.replace(statement, ["pass"] if first_of_empty else [])

    def replace(self, statement: ast.stmt, new: list[str]) -> None:
        indent, ending = self.indent(statement), self._ending(statement.lineno)
        for number in range(statement.lineno, (statement.end_lineno or statement.lineno) + 1):
            self._replaced[number] = []
        self._replaced[statement.lineno] = [f"{indent}{line}{ending}" for line in new]

    def insert_before(self, statement: ast.stmt, new: str) -> None:
        decorators = getattr(statement, "decorator_list", [])
        first = min([statement.lineno, *(decorator.lineno for decorator in decorators)])
        line = f"{self.indent(statement)}{new}{self._ending(first)}"
        self._before.setdefault(first, []).append(line)

    def text(self) -> str:
        pieces: list[str] = []
        for number, line in enumerate(self._lines, 1):
            pieces += self._before.get(number, [])
            pieces += self._replaced.get(number, [line])
        return "".join(pieces)

    def moved(self, number: int) -> int:
        """Where a line of the original stands now."""
        delta = sum(len(new) for at, new in self._before.items() if at <= number)
        delta += sum(len(new) - 1 for at, new in self._replaced.items() if at < number)
        return number + delta

    def _ending(self, number: int) -> str:
        line = self._lines[number - 1]
        return line[len(line.rstrip("\r\n")) :] or "\n"


def _split(text: str) -> list[str]:
    """Lines as the parser counts them: a form feed or a Unicode separator ends none."""
    ends = [0, *(match.end() for match in _END.finditer(text))]
    return [text[a:b] for a, b in zip(ends, [*ends[1:], len(text)], strict=True) if a < b]
