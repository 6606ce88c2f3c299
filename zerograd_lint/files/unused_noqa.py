"""`# noqa: ZG001` comments that silence nothing any more, and the edits that take them out."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Container, Iterator

from ..finding import Edit, Finding, Fix, Position, Span
from .noqa import NOQA, Extent, extents

CODE, NAME = "ZG900", "unused-noqa"
_OUR_CODE = re.compile(r"ZG\d{3}$", re.IGNORECASE)
_SEPARATOR = re.compile(r"[,\s]+")


def unused_comments(
    text: str, findings: list[Finding], enabled: Container[str]
) -> Iterator[Finding]:
    """A finding for every comment with a code that is enabled and not found on its statement.

    `findings` are all there are, silenced or not.
    """
    if "noqa" not in text.lower():
        return
    statements = extents(text, tokenize.NEWLINE)
    found = {(_statement(statements, each.line), each.code) for each in findings}
    for token in _comments(text):
        line, column = token.start
        here = _statement(statements, line)
        for match in NOQA.finditer(token.string):
            codes = _SEPARATOR.split(match["codes"]) if match["codes"] else []
            unused = [
                code
                for code in codes
                if _OUR_CODE.match(code)
                and code.upper() in enabled
                and (here, code.upper()) not in found
            ]
            if unused:
                yield _finding(token, match, codes, unused, Position(line, column + 1))


def _statement(statements: dict[int, Extent], line: int) -> Extent:
    return statements.get(line, Extent(line, line))


def _comments(text: str) -> Iterator[tokenize.TokenInfo]:
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                yield token
    except (tokenize.TokenError, SyntaxError):
        return


def _finding(
    token: tokenize.TokenInfo,
    match: re.Match[str],
    codes: list[str],
    unused: list[str],
    comment: Position,
) -> Finding:
    line = comment.line

    def span(start: int, end: int) -> Span:
        return Span(Position(line, comment.column + start), Position(line, comment.column + end))

    kept = [code for code in codes if code not in unused]
    if kept:
        edit = Edit(span(*match.span("codes")), ", ".join(kept))
    else:
        # What is written behind the codes explains them, up to the next comment.
        end = token.string.find("#", match.end())
        start, end = match.start(), len(token.string) if end < 0 else end
        before = token.line[: token.start[1] + start]
        spaces = len(before) - len(before.rstrip())
        edit = Edit(span(start - (spaces if end == len(token.string) else 0), end), "")
    named = ", ".join(code.upper() for code in unused)
    return Finding(
        code=CODE,
        name=NAME,
        message=f"this comment silences nothing: no {named} is found here",
        span=span(*match.span()),
        fix=Fix(
            f"Remove {named} from the comment" if kept else "Remove the comment", (edit,), True
        ),
    )
