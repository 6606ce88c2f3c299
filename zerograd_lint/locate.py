"""Where the few nodes a report speaks of stand in the text, found in one pass.

libcst's own position provider computes the place of every node, at several times the cost of
parsing; only findings need places, and only a handful of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import libcst as cst
from libcst._nodes.internal import CodegenState

from .finding import Position, Span

_NEWLINE = re.compile(r"\r\n?|\n")


class _Locating(CodegenState):
    """Writes the code out again, watching where the wanted nodes land."""

    def __init__(self, module: cst.Module, wanted: set[cst.CSTNode]) -> None:
        super().__init__(module.default_indent, module.default_newline)
        self.spans: dict[cst.CSTNode, Span] = {}
        self._wanted = wanted
        self._line = 1
        self._column = 1
        self._starts: list[Position] = []

    def add_indent_tokens(self) -> None:
        self.tokens.extend(self.indent_tokens)
        self._column += sum(map(len, self.indent_tokens))

    def add_token(self, value: str) -> None:
        self.tokens.append(value)
        pieces = _NEWLINE.split(value)
        if len(pieces) == 1:
            self._column += len(value)
        else:
            self._line += len(pieces) - 1
            self._column = len(pieces[-1]) + 1

    def before_codegen(self, node: cst.CSTNode) -> None:
        if node in self._wanted:
            self._starts.append(Position(self._line, self._column))

    def after_codegen(self, node: cst.CSTNode) -> None:
        if node in self._wanted:
            start = self._starts.pop()
            self.spans.setdefault(node, Span(start, Position(self._line, self._column)))

    @contextmanager
    def record_syntactic_position(
        self,
        node: cst.CSTNode,
        *,
        start_node: cst.CSTNode | None = None,
        end_node: cst.CSTNode | None = None,
    ) -> Iterator[None]:
        start = Position(self._line, self._column)
        yield
        if node in self._wanted:
            self.spans[node] = Span(start, Position(self._line, self._column))


def locate(module: cst.Module, nodes: Iterable[cst.CSTNode]) -> tuple[dict[cst.CSTNode, Span], str]:
    """The spans of some nodes of a module, layout around them left out, and the code written."""
    state = _Locating(module, set(nodes))
    module._codegen(state)
    return state.spans, "".join(state.tokens)
