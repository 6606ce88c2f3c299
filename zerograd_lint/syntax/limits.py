"""Refuse code that would crash or stall libcst's native parser, before it is parsed.

The parser dies of a few thousand nested brackets and needs quadratic time for long chains of
operators. No such code is written by hand, and one clear line is better than a dead process.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ..finding import SourceError

MOST_CHARACTERS = 10_000_000
MOST_LINES = 300_000
LONGEST_LINE = 250_000
"""Characters of a line that Python's own parser may get."""
LONGEST_KEPT_STATEMENT = 200_000
"""Characters of a statement that libcst's parser may get."""
MOST_KEPT_LINES = 40_000
MOST_LINKS = 200
"""Operators, calls and brackets that may hang on each other in one expression."""
MOST_ELIFS = 5_000
DEEPEST_PATTERN = 6
"""Each level of a `case` pattern more than doubles the parser's time."""

_TOKEN = re.compile(
    r'''(?P<string>"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"""|\'\'\'[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*\'\'\'
        |"[^"\\\n]*(?:\\.[^"\\\n]*)*"|'[^'\\\n]*(?:\\.[^'\\\n]*)*')
      |(?P<skip>\#[^\n]*|\\\r?\n)
      |(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<comma>,)|(?P<newline>\n)
      |(?P<link>\*\*|//|[-+*/%@&|^~.]|\b(?:and|or|not|if|for|lambda|await)\b)''',
    re.DOTALL | re.VERBOSE,
)

_CASE = re.compile(r"^[ \t]*case\b", re.MULTILINE)
_PATTERN_PART = re.compile(r"[\[({]|[\])}]|:|\n")


def refuse_size(text: str) -> None:
    """Refuse a file that is too large, or has too long a line, to be read at all."""
    if len(text) > MOST_CHARACTERS:
        raise SourceError(f"too long to analyse: more than {MOST_CHARACTERS:,} characters")
    if len(text) > LONGEST_LINE:
        for number, line in enumerate(text.split("\n"), 1):
            if len(line) > LONGEST_LINE:
                raise SourceError(
                    f"too long to analyse: a line of more than {LONGEST_LINE:,} characters", number
                )
    if text.count("\n") > MOST_LINES:
        raise SourceError(f"too long to analyse: more than {MOST_LINES:,} lines")
    if text.count("elif") > MOST_ELIFS:
        raise SourceError(f"too tangled to analyse: more than {MOST_ELIFS:,} branches")


def refuse_excerpt(text: str) -> None:
    """Refuse an excerpt of too many lines."""
    if text.count("\n") > MOST_KEPT_LINES and sum(map(bool, text.split("\n"))) > MOST_KEPT_LINES:
        raise SourceError(f"too long to analyse: more than {MOST_KEPT_LINES:,} lines that matter")


def refuse_patterns(text: str, line_numbers: Sequence[int]) -> None:
    """Refuse a `case` that nests its patterns too deeply."""
    for case in _CASE.finditer(text) if "case" in text else ():
        depth = 0
        for part in _PATTERN_PART.finditer(text, case.end()):
            if part[0] in "[({":
                depth += 1
            elif part[0] in "])}":
                depth -= 1
            elif depth <= 0:
                break
            if depth > DEEPEST_PATTERN:
                raise SourceError(
                    f"too tangled to analyse: a pattern more than {DEEPEST_PATTERN} levels deep",
                    line_numbers[text.count("\n", 0, part.start())],
                )


def refuse_tangles(statements: Iterable[tuple[int, str]]) -> None:
    """Refuse statements, each given with its first line, that chain too many operators."""
    for line, statement in statements:
        if len(statement) > LONGEST_KEPT_STATEMENT:
            raise SourceError(
                "too long to analyse: a statement of more than "
                f"{LONGEST_KEPT_STATEMENT:,} characters",
                line,
            )
        at = _tangle(statement)
        if at is not None:
            raise SourceError(
                f"too tangled to analyse: more than {MOST_LINKS} operators, calls or brackets "
                "in one expression",
                line + statement.count("\n", 0, at),
            )


def _tangle(text: str) -> int | None:
    """Where too many links hang on each other, if anywhere."""
    chains = [0]
    """The links so far of the expression at each level of brackets; a comma begins a new one."""
    total = 0
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        if kind == "comma" or (kind == "newline" and len(chains) == 1):
            total -= chains[-1]
            chains[-1] = 0
        elif kind == "close":
            if len(chains) > 1:
                total -= chains.pop()
        elif kind in ("open", "link", "string"):
            chains[-1] += 1
            total += 1
            if kind == "open":
                chains.append(0)
            if total > MOST_LINKS:
                return token.start()
    return None
