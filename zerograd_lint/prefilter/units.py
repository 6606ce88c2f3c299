"""A file taken apart into its functions and the rest, with the words each of them uses."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from ..vocabulary.calls import Effect
from .bindings import statements
from .code import Code
from .dotted_names import dotted

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef

_COMMENT = re.compile(r"^[ \t]*#.*", re.MULTILINE)
_CLASS_NAME = re.compile(r"^([ \t]*class[ \t]+)\w+", re.MULTILINE)


@dataclass(slots=True, eq=False)
class ClassOutline:
    """A class by its names: what it is called and what it inherits from."""

    node: ast.ClassDef
    spelt_bases: tuple[str, ...]
    """What it inherits from, as it is spelt: `engine.Trainer`; empty for what is no plain name."""
    family: frozenset[str] = frozenset()
    """The names of all classes of the file related to it by inheritance, its own among them."""

    @property
    def name(self) -> str:
        return self.node.name


@dataclass(slots=True, eq=False)
class Unit:
    """A function or method with all that is nested in it; or all that is in none."""

    code: Code
    node: FunctionNode | None = None
    owner: ClassOutline | None = None
    effects: Effect = Effect.NOTHING
    """What its own code could do to gradients."""

    @property
    def name(self) -> str:
        return self.node.name if self.node is not None else ""

    @property
    def text(self) -> str:
        return self.code.text

    @property
    def names(self) -> frozenset[str]:
        return self.code.names

    @property
    def attributes(self) -> frozenset[str]:
        return self.code.attributes

    @property
    def words(self) -> frozenset[str]:
        return self.code.words

    @property
    def instance_name(self) -> str:
        """What a method calls the object it belongs to."""
        if self.node is None or self.owner is None:
            return ""
        first = (*self.node.args.posonlyargs, *self.node.args.args)[:1]
        return first[0].arg if first else ""


@dataclass(slots=True)
class Units:
    functions: list[Unit]
    outside: Unit
    """The module itself, class bodies included, as it stands between the functions."""
    rest: list[ast.AST]
    """The statements `outside` consists of; a function among them is not part of it."""
    classes: list[ClassOutline]

    def nodes_of(self, unit: Unit) -> list[ast.AST]:
        """The statements that a unit consists of: a function, or all that is in none."""
        return [unit.node] if unit.node is not None else self.rest

    @property
    def codes(self) -> dict[str, Code]:
        """The code of every unit, by its text."""
        return {unit.text: unit.code for unit in (self.outside, *self.functions)}


def take_apart(
    tree: ast.Module, lines: list[str], known: Mapping[str, Code] = MappingProxyType({})
) -> Units:
    """Functions and methods, but not what is nested in a function.

    `known` is code of the same text, of which something may have been worked out already.
    """
    functions: list[Unit] = []
    classes: list[ClassOutline] = []
    rest: list[ast.AST] = []
    docstrings: list[ast.stmt] = []
    pending: list[tuple[ast.AST, ClassOutline | None]] = [(tree, None)]
    while pending:
        parent, owner = pending.pop()
        for child in statements(parent):
            if isinstance(child, FunctionNode):
                text = _code(child, lines)
                functions.append(Unit(known.get(text) or Code(text), child, owner))
                rest += child.decorator_list
            elif isinstance(child, ast.ClassDef):
                inner = ClassOutline(child, tuple(dotted(base) for base in child.bases))
                classes.append(inner)
                pending.append((child, inner))
                rest += child.decorator_list
            elif next(statements(child), None) is not None:
                pending.append((child, owner))
                rest += _heads(child)
            else:
                rest.append(child)
        if isinstance(parent, ast.Module | ast.ClassDef):
            docstring = docstring_of(parent)
            if docstring is not None:
                docstrings.append(docstring)
    _relate(classes)
    nodes = [unit.node for unit in functions if unit.node is not None]
    # To define a class is not to mention it: its constructor is not run by that.
    outside = _CLASS_NAME.sub(r"\1", _between([*nodes, *docstrings], lines))
    return Units(functions, Unit(known.get(outside) or Code(outside)), rest, classes)


def _heads(node: ast.AST) -> list[ast.AST]:
    """What a compound statement holds besides the statements in it: its test, its iterable."""
    inner = set(map(id, statements(node)))
    return [child for child in ast.iter_child_nodes(node) if id(child) not in inner]


def _relate(classes: list[ClassOutline]) -> None:
    """Find the families: two classes of one name count as one."""
    families: dict[str, set[str]] = {owner.name: {owner.name} for owner in classes}
    for owner in classes:
        for base in families.keys() & {spelt.rpartition(".")[2] for spelt in owner.spelt_bases}:
            mine, theirs = families[owner.name], families[base]
            if mine is not theirs:
                mine |= theirs
                for name in theirs:
                    families[name] = mine
    frozen = {id(names): frozenset(names) for names in families.values()}
    for owner in classes:
        owner.family = frozen[id(families[owner.name])]


def docstring_of(node: FunctionNode | ast.ClassDef | ast.Module) -> ast.Expr | None:
    """A docstring that has its lines to itself."""
    match node.body[:2]:
        case [ast.Expr(value=ast.Constant(value=str())) as first, *more]:
            above = getattr(node, "lineno", 0)
            below = more[0].lineno if more else sys.maxsize
            if above < first.lineno and (first.end_lineno or 0) < below:
                return first
    return None


def _code(function: FunctionNode, lines: list[str]) -> str:
    start = function.lineno - 1
    head: list[str] = []
    docstring = docstring_of(function)
    if docstring is not None:
        head, start = lines[start : docstring.lineno - 1], docstring.end_lineno or 0
    return _COMMENT.sub("", "\n".join(head + lines[start : function.end_lineno]))


def _between(left_out: list[ast.stmt], lines: list[str]) -> str:
    """The lines of a file that belong to none of these statements and are no comments."""
    rest: list[str] = []
    at = 0
    for node in sorted(left_out, key=lambda node: node.lineno):
        rest += lines[at : node.lineno - 1]
        at = max(at, node.end_lineno or 0)
    return _COMMENT.sub("", "\n".join([*rest, *lines[at:], ""]))
