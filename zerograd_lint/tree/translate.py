"""From libcst's tree to ours, for syntax that is newer than the interpreter we run on.

Loading libcst takes longer than checking most files, and its parser is twenty times slower than
Python's own, so it is asked only about what that one does not understand.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import libcst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from .. import tree
from ..finding import SourceError
from .expressions import Ellipsis, FormattedString, Integer
from .node import Node
from .operators import Operator, OtherOperator
from .statements import ExceptHandler, ImportFrom, MatchPattern, Module, Pass, Raise

_MOST_DIGITS = 4_000
_PLACE = re.compile(r"error at (\d+):(\d+)")


def parse_newer(text: str, lines: Sequence[str]) -> Module:
    """The whole module; `SourceError` if libcst cannot read it either."""
    try:
        module = libcst.parse_module(text)
    except libcst.ParserSyntaxError as error:
        # The message lists every token that would have fitted, behind the place of the error.
        place = _PLACE.search(error.message)
        if place is None:
            message = error.message.partition("\n")[0]
            raise SourceError(f"cannot parse: {message}", error.editor_line) from None
        line, column = int(place[1]), int(place[2]) + 1
        raise SourceError("cannot parse: invalid syntax", line, column) from None
    except UnicodeError as error:
        raise SourceError(f"cannot parse: {error}") from None
    wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
    translation = _Translation(wrapper.resolve(PositionProvider), lines)
    return Module([translation.node(statement) for statement in module.body])


class _Translation:
    def __init__(self, places: Mapping[libcst.CSTNode, CodeRange], lines: Sequence[str]) -> None:
        self._places = places
        self._lines = lines

    def node(self, theirs: libcst.CSTNode) -> Node:
        ours = self._made(theirs)
        place = self._places.get(theirs)
        if place is not None and not isinstance(ours, Operator):
            marker = ast.Pass(
                lineno=place.start.line,
                col_offset=self._bytes(place.start.line, place.start.column),
                end_lineno=place.end.line,
                end_col_offset=self._bytes(place.end.line, place.end.column),
            )
            ours.put(self._lines, marker, marker)
        return ours

    def _bytes(self, line: int, column: int) -> int:
        text = self._lines[line - 1] if line <= len(self._lines) else ""
        return len(text[:column].encode("utf-8", "surrogatepass"))

    def _made(self, theirs: libcst.CSTNode) -> Node:
        match theirs:
            case libcst.FormattedString(parts=parts):
                return FormattedString([self.node(piece) for piece in _pieces(parts)])
            case libcst.ConcatenatedString(left=left, right=right):
                return FormattedString([self.node(left), self.node(right)])
            case libcst.ExceptStarHandler(body=body, type=kind, name=name):
                return ExceptHandler(self.node(body), self.node(kind), name and self.node(name))
            case libcst.Raise(exc=exception, cause=cause):
                return Raise(self._part(exception), cause and self.node(cause.item))
            case libcst.ImportFrom(module=module, names=names, relative=dots):
                return ImportFrom(self._part(module), self._part(names), len(dots))
            case libcst.Integer(value=value) if len(value) > _MOST_DIGITS:
                return Integer(value, 1)  # so long that Python refuses to read it
        ours = getattr(tree, type(theirs).__name__, None)
        if isinstance(ours, type) and issubclass(ours, Node):
            return ours(*(self._part(getattr(theirs, name)) for name in ours.parts))
        if isinstance(theirs, libcst.MatchPattern):
            return MatchPattern()
        if isinstance(theirs, libcst.BaseExpression):
            return Ellipsis()
        return Pass() if isinstance(theirs, libcst.BaseSmallStatement) else OtherOperator()

    def _part(self, value: object) -> object:
        if isinstance(value, libcst.CSTNode):
            return self.node(value)
        if isinstance(value, list | tuple):
            return [self.node(part) for part in value]
        return None if isinstance(value, libcst.MaybeSentinel) else value


def _pieces(parts: Iterable[libcst.BaseFormattedStringContent]) -> Iterator[libcst.BaseExpression]:
    for part in parts:
        if isinstance(part, libcst.FormattedStringExpression):
            yield part.expression
            yield from _pieces(part.format_spec or ())
