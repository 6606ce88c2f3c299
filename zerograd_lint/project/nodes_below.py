"""All that stands below some nodes of a module's `ast`, and which of it names something."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterable, Iterator, Set
from typing import Any

from ..prefilter.code import mentions_owner
from ..prefilter.units import Unit, Units

_NO_NODES = frozenset(
    {"ctx", "op", "ops", "id", "attr", "arg", "name", "names", "module", "level", "asname", "kind"}
    | {"type_comment", "simple", "conversion"}
)
"""The parts of a node in which no name or call can be."""
_PARTS: dict[type[ast.AST], tuple[str, ...]] = {
    kind: tuple(name for name in kind._fields if name not in _NO_NODES)
    for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, ast.AST)
} | {ast.Constant: ()}
"""By kind of node: the parts that may be nodes."""
names_owner = functools.lru_cache(10_000)(mentions_owner)
"""Whether a word is one for an optimizer or a loss scaler: the same few are asked for all over."""


def all_below(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """These nodes and all below them, operators and contexts left out."""
    pending = list(nodes)
    while pending:
        node = pending.pop()
        yield node
        for name in _PARTS[type(node)]:
            value = getattr(node, name, None)
            if type(value) is list:
                pending += [item for item in value if isinstance(item, ast.AST)]
            elif isinstance(value, ast.AST):
                pending.append(value)


class NodesBelow:
    """Nodes and all below them, each with the place of its parent: they are gone through twice."""

    def __init__(self, nodes: Iterable[ast.AST]) -> None:
        self.nodes: list[ast.AST] = list(nodes)
        self._parents = [-1] * len(self.nodes)
        self._words: list[tuple[int, str]] = []
        """The place of each name and attribute, with its last word."""
        self.names: set[str] = set()
        """The names among them, attributes left out."""
        self.calls: list[ast.Call] = []
        self.assignments: list[ast.Assign] = []
        self.functions: list[ast.FunctionDef | ast.AsyncFunctionDef] = []
        sorted_out: dict[type[ast.AST], list[Any]] = {
            ast.Call: self.calls,
            ast.Assign: self.assignments,
            ast.FunctionDef: self.functions,
            ast.AsyncFunctionDef: self.functions,
        }
        for at, node in enumerate(self.nodes):  # it grows on the way
            if isinstance(node, ast.Name):
                self.names.add(node.id)
                self._words.append((at, node.id))
                continue
            kind = type(node)
            if isinstance(node, ast.Attribute):
                self._words.append((at, node.attr))
            elif kind in sorted_out:
                sorted_out[kind].append(node)
            for name in _PARTS[kind]:
                value = getattr(node, name, None)
                if type(value) is list:
                    inner = [item for item in value if isinstance(item, ast.AST)]
                    self.nodes += inner
                    self._parents += [at] * len(inner)
                elif isinstance(value, ast.AST):
                    self.nodes.append(value)
                    self._parents.append(at)

    def mentioning(self, tracked: Set[str], matters: Callable[[str], bool]) -> Iterator[ast.AST]:
        """The nodes that name what matters, or something tracked, or have it somewhere below."""
        found = bytearray(len(self.nodes))
        for at, word in self._words:
            if word in tracked or matters(word):
                while at >= 0 and not found[at]:
                    found[at] = 1
                    at = self._parents[at]
        return (node for node, is_found in zip(self.nodes, found, strict=True) if is_found)


NodesOf = Callable[[Unit, Units], NodesBelow]
"""Gives the nodes of a unit."""
