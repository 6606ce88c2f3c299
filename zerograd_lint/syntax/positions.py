"""Where nodes stand in the file, worked out when the first place is asked for.

libcst's nodes do not carry positions. Generating the code of the module once and noting the
tokens before and behind every node gives them all; most files have no finding and never ask.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate
from types import TracebackType

import libcst as cst
from libcst._nodes.internal import CodegenState

from ..finding import Position, Span


class Positions:
    """The spans of one module's nodes in its file."""

    def __init__(self, nodes: NodePlaces, line_numbers: Sequence[int]) -> None:
        self._nodes = nodes
        self._line_numbers = line_numbers
        """The line in the file of every line that was parsed."""

    def span(self, node: cst.CSTNode) -> Span:
        """Where a node begins and ends, in lines and columns of the file."""
        first, behind = self._nodes.tokens_of(node)
        return Span(self._position(first), self._position(behind))

    def line(self, node: cst.CSTNode) -> int:
        """The line of the file on which a node begins."""
        return self.span(node).start.line

    def _position(self, token: int) -> Position:
        index, column = self._nodes.place(token)
        return Position(self._line_numbers[index], column)


class NodePlaces:
    """Where the nodes of a module stand in the text that was parsed."""

    def __init__(self, module: cst.Module) -> None:
        self._module = module

    def tokens_of(self, node: cst.CSTNode) -> tuple[int, int]:
        """The numbers of a node's first token and of the one behind its last."""
        return self._generated.places[node]

    def place(self, token: int) -> tuple[int, int]:
        """The index of the line that a token is on, and its column."""
        offset = self._offsets[token]
        index = bisect_right(self._line_starts, offset) - 1
        return index, offset - self._line_starts[index] + 1

    @cached_property
    def _generated(self) -> _Recorder:
        recorder = _Recorder(self._module.default_indent, self._module.default_newline)
        self._module._codegen(recorder)
        return recorder

    @cached_property
    def _offsets(self) -> list[int]:
        """The offset in the generated code at which each token begins, and the end."""
        return [0, *accumulate(map(len, self._generated.tokens))]

    @cached_property
    def _line_starts(self) -> list[int]:
        code = "".join(self._generated.tokens)
        return [0, *(at + 1 for at, character in enumerate(code) if character == "\n")]


class _Recorder(CodegenState):
    """Notes for every node how many tokens come before it and before what follows it."""

    def __init__(self, default_indent: str, default_newline: str) -> None:
        super().__init__(default_indent, default_newline)
        self.places: dict[cst.CSTNode, tuple[int, int]] = {}

    def record_syntactic_position(  # type: ignore[override]
        self,
        node: cst.CSTNode,
        *,
        start_node: cst.CSTNode | None = None,
        end_node: cst.CSTNode | None = None,
    ) -> _Note:
        return _Note(self, node, start_node, end_node)


class _Note:
    """Surrounds the generation of one node's code."""

    __slots__ = ("_end_node", "_first", "_node", "_recorder", "_start_node")

    def __init__(
        self,
        recorder: _Recorder,
        node: cst.CSTNode,
        start_node: cst.CSTNode | None,
        end_node: cst.CSTNode | None,
    ) -> None:
        self._recorder = recorder
        self._node = node
        self._start_node = start_node
        self._end_node = end_node

    def __enter__(self) -> None:
        self._first = len(self._recorder.tokens)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        places = self._recorder.places
        first, behind = self._first, len(self._recorder.tokens)
        # A bracket notes nothing of itself; then the node ends with its last token.
        if self._start_node in places:
            first = places[self._start_node][0]
        if self._end_node in places:
            behind = places[self._end_node][1]
        places[self._node] = (first, behind)
