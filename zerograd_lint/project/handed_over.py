"""Which names of a unit can matter to it: those that get, give or run what holds gradients.

Most of what a training file imports has no part in that. A call does if an optimizer, a scaler or a
network whose parameters are listed is among its arguments, is what it is made on, or is what its
result is given to. So does one that is named after the clipping of gradients, whatever it is given.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Set

from ..prefilter.bindings import walk
from ..prefilter.code import mentions_owner
from ..prefilter.units import Unit, Units
from .dotted_names import dotted_names, last_word

_CLIPS = re.compile(r"clip\w*grad|grad\w*clip", re.IGNORECASE)


def handed_over(
    unit: Unit, units: Units, instances: Set[str] = frozenset(), *, parameters: bool
) -> set[str]:
    """The dotted names that can matter to a unit; `parameters` counts in all that it is given.

    `instances` are words for objects that other units of the module give an optimizer.
    """
    tracked = {*unit.code.networks, *units.outside.code.networks, *(instances & unit.words)}
    if parameters and unit.node is not None:
        tracked.update(node.arg for node in ast.walk(unit.node.args) if isinstance(node, ast.arg))
    plain = not unit.code.mentions_owner and not _CLIPS.search(unit.text)
    if not tracked and plain and not _may_decorate(unit):
        return set()
    below = _Below(units.nodes_of(unit))
    # What is given an optimizer in one place counts everywhere: `precision.step(optimizer)`.
    tracked |= {
        name
        for node in below.mentioning(tracked)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        if _mentions(node.args, tracked)
        for name in [last_word(node.func.value)]
        if name not in ("self", "")
    }
    return set(_relevant(below, tracked | _asked_for_owners(below, tracked)))


def _may_decorate(unit: Unit) -> bool:
    """Whether a unit is decorated, or something in it."""
    return "@" in unit.text or bool(unit.node is not None and unit.node.decorator_list)


class _Below:
    """All nodes below some, each with the place of its parent: they are gone through twice."""

    def __init__(self, nodes: Iterable[ast.AST]) -> None:
        self.nodes: list[ast.AST] = list(nodes)
        self._parents = [-1] * len(self.nodes)
        for at, node in enumerate(self.nodes):  # it grows on the way
            for name in node._fields:
                value = getattr(node, name, None)
                if type(value) is list:
                    inner = [item for item in value if isinstance(item, ast.AST)]
                    self.nodes += inner
                    self._parents += [at] * len(inner)
                elif isinstance(value, ast.AST):
                    self.nodes.append(value)
                    self._parents.append(at)

    def mentioning(self, tracked: set[str]) -> Iterator[ast.AST]:
        """The nodes that name an owner, or something tracked, or have it somewhere below."""
        found = bytearray(len(self.nodes) + 1)  # the last one for those without a parent
        for at in range(len(self.nodes) - 1, -1, -1):
            node = self.nodes[at]
            word = last_word(node)
            if found[at] or (word and (word in tracked or _matters(word))):
                found[at] = found[self._parents[at]] = 1
                yield node


def _relevant(below: _Below, tracked: set[str]) -> Iterator[str]:
    for node in below.mentioning(tracked):
        if isinstance(node, ast.Call):
            yield from dotted_names(
                [node.func, *node.args, *(word.value for word in node.keywords)]
            )
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if _mentions(targets, tracked):
                yield from dotted_names([node.value, *_called(node.value)])
    for node in below.nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from dotted_names([*node.decorator_list, *_called_of(node.decorator_list)])


def _asked_for_owners(below: _Below, tracked: set[str]) -> set[str]:
    """What gives out an optimizer: the network in `optimizer = model.configure_optimizers()`."""
    return {
        last_word(func.value)
        for node in below.nodes
        if isinstance(node, ast.Assign) and _mentions(node.targets, tracked)
        for func in _called(node.value)
        if isinstance(func, ast.Attribute)
    } - {"self", ""}


def _matters(word: str) -> bool:
    """Whether a word is about an optimizer, a loss scaler, or the clipping of gradients."""
    return mentions_owner(word) or _CLIPS.search(word) is not None


def _mentions(nodes: Iterable[ast.AST], tracked: set[str]) -> bool:
    for node in walk(nodes):
        word = last_word(node)
        if word and (word in tracked or mentions_owner(word)):
            return True
    return False


def _called(node: ast.expr) -> list[ast.AST]:
    return [part.func for part in walk([node]) if isinstance(part, ast.Call)]


def _called_of(nodes: list[ast.expr]) -> list[ast.AST]:
    return [func for node in nodes for func in _called(node)]
