"""The lines of a module that say what its constants, tables and options are."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Set
from typing import TypeGuard

from ..prefilter.bindings import bound
from ..prefilter.dotted_names import dotted
from ..prefilter.units import ClassOutline, FunctionNode, Unit, docstring_of
from ..vocabulary.plain_methods import PLAIN_FUNCTIONS, PLAIN_METHODS, RUNS_FUNCTIONS
from ..vocabulary.setting_names import CHANGES_BY_NAME, PARSES_OPTIONS
from .nodes_below import all_below
from .source_module import SourceModule

Line = tuple[int, str]
"""A line of a module with its number."""
_BY_NAME = re.compile(rf"\b(?:{'|'.join(sorted(CHANGES_BY_NAME))})[ \t]*\(")
_GLOBAL = re.compile(r"^[ \t]*global[ \t]+([\w, \t]+)", re.MULTILINE)
_MOST_LINES = 200
"""A table longer than this is no configuration."""
_BINDING = frozenset({"staticmethod", "classmethod"})
_OPTIONS = "parser.parse_args()"
"""What a function gives back that parses the command line, however it is written there."""


def variable_lines(module: SourceModule, names: Set[str]) -> list[Line]:
    """The statements that give variables their values, and those of what goes into these.

    Nothing of a variable that a function may give another value to.
    """
    outline = module.outline
    if any(word in outline.text for word in CHANGES_BY_NAME) and _BY_NAME.search(outline.text):
        return []
    changed = set(re.findall(r"\w+", " ".join(_GLOBAL.findall(outline.text))))
    # A function may put something else into what is no plain value.
    in_functions = frozenset().union(*(unit.names for unit in outline.units.functions))
    for target, value in bound(outline.tree.body):
        if isinstance(target, ast.Name) and not isinstance(value, ast.Constant):
            changed |= {target.id} & in_functions
    wanted = set(names) - changed
    chosen: dict[int, ast.stmt] = {}
    while True:
        more = {
            statement.lineno: statement
            for statement in outline.tree.body
            if statement.lineno not in chosen and _sets(statement, wanted)
        }
        if not more:
            break
        chosen |= more
        loaded = {p.id for p in all_below(more.values()) if isinstance(p, ast.Name)}
        wanted |= (loaded & module.variables) - changed
    lines = {n for s in chosen.values() for n in range(s.lineno, (s.end_lineno or s.lineno) + 1)}
    if len(lines) > _MOST_LINES:
        return []
    return [(number, outline.lines[number - 1]) for number in sorted(lines)]


def _sets(statement: ast.stmt, names: Set[str]) -> bool:
    """Whether a statement gives one of these names, or a part of it, a value."""
    if isinstance(statement, FunctionNode | ast.ClassDef | ast.Import | ast.ImportFrom):
        return False
    if isinstance(statement, ast.AugAssign | ast.Expr | ast.Delete):
        return any(isinstance(p, ast.Name) and p.id in names for p in all_below([statement]))
    return any(
        isinstance(part, ast.Name) and part.id in names
        for target, _ in bound([statement])
        for part in all_below([target])
    )


def class_lines(module: SourceModule, owner: ClassOutline, mentioned: Set[str]) -> Iterator[Line]:
    """A class with the values that it gives its attributes, and methods that only answer.

    Of other methods that are `mentioned` it is said that they leave gradients alone.
    """
    node, lines = owner.node, module.outline.lines
    head = f"class {owner.name}({', '.join(filter(None, owner.spelt_bases))}):"
    body = [
        each
        for each in node.body
        if _answers(each) and module.set_attributes.isdisjoint(_targets(each))
    ]
    plain = [each for each in node.body if each not in body and _is_plain_method(each, mentioned)]
    if not (body or plain) or node.col_offset or node.body[0].lineno == node.lineno:
        yield node.lineno, f"{head} pass"
        return
    for decorator in node.decorator_list:
        yield decorator.lineno, f"@{ast.unparse(decorator)}"
    yield node.lineno, head
    for statement in (*body, *plain):
        indent = lines[statement.lineno - 1][: statement.col_offset]
        if statement in plain:
            yield statement.lineno, f"{indent}def {statement.name}(*args, **kwargs): return None"
            continue
        decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
        first = min([statement.lineno, *(decorator.lineno for decorator in decorators)])
        for number in range(first, (statement.end_lineno or first) + 1):
            yield number, lines[number - 1]


def _is_plain_method(statement: ast.stmt, mentioned: Set[str]) -> TypeGuard[ast.FunctionDef]:
    """A method that is called by its name, and runs nothing that it, or its object, was given."""
    if not isinstance(statement, ast.FunctionDef) or statement.name not in mentioned:
        return False
    if statement.name.startswith("__") or any(
        not isinstance(d, ast.Name) or d.id not in _BINDING for d in statement.decorator_list
    ):
        return False
    parts = list(all_below([statement.args, *statement.body]))
    own = {part.arg for part in parts if isinstance(part, ast.arg)}
    own |= {p.id for p in parts if isinstance(p, ast.Name) and isinstance(p.ctx, ast.Store)}
    return not any(
        isinstance(part, ast.Yield | ast.YieldFrom)
        or (isinstance(part, ast.Call) and _may_run_given(part, own))
        for part in parts
    )


def _may_run_given(call: ast.Call, own: Set[str]) -> bool:
    """Whether it may run what a function got from outside: `end(trainer)`, `map(callback, items)`.

    Functions of libraries are taken to run none, but for those that are there to do so.
    """
    func = call.func
    if isinstance(func, ast.Attribute) and func.attr in PLAIN_METHODS:
        return False
    root = dotted(func).partition(".")[0]
    if not root or root in own:
        return True
    if root in PLAIN_FUNCTIONS or not (isinstance(func, ast.Name) or root in RUNS_FUNCTIONS):
        return False
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    return any(
        isinstance(value, ast.Starred) or (isinstance(value, ast.Name) and value.id in own)
        for value in given
    )


def _answers(statement: ast.stmt) -> bool:
    """`window = 4`, or a method whose last statement gives back an expression."""
    match statement:
        case ast.Assign(targets=[ast.Name()], value=ast.Constant()):
            return True
        case ast.AnnAssign(target=ast.Name()):
            return True
        case ast.FunctionDef(body=body) if isinstance(body[-1], ast.Return):
            rest = body[1:-1] if docstring_of(statement) is not None else body[:-1]
            return all(isinstance(each, ast.AugAssign) for each in rest)
    return False


def _targets(statement: ast.stmt) -> set[str]:
    return {target.id for target, _ in bound([statement]) if isinstance(target, ast.Name)}


def function_line(unit: Unit) -> Line:
    """A function that has nothing to do with gradients; that it gives options, or what it has
    imported, is said of it."""
    does = f"return {_OPTIONS}" if gives_options(unit) else _gives_imported(unit) or "pass"
    line = unit.node.lineno if unit.node is not None else 1
    return line, f"def {unit.name}(*args, **kwargs): {does}"


def gives_options(unit: Unit) -> bool:
    """Whether a function gives back the options of a command line."""
    if unit.node is None or not any(word in unit.text for word in PARSES_OPTIONS):
        return False
    parsed = {
        part.id
        for target, value in bound(unit.node.body)
        if _parses(value)
        for part in all_below([target])
        if isinstance(part, ast.Name)
    }
    returned = [node.value for node in all_below(unit.node.body) if isinstance(node, ast.Return)]
    return bool(returned) and all(
        value is not None
        and (_parses(value) or (isinstance(value, ast.Name) and value.id in parsed))
        for value in returned
    )


def _gives_imported(unit: Unit) -> str:
    """`import torch; return torch`, if that is what a function comes to."""
    if unit.node is None or "import " not in unit.text:
        return ""
    inside = list(all_below(unit.node.body))
    imports = [node for node in inside if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {alias.asname or alias.name for node in imports for alias in node.names}
    returned = {
        ast.unparse(node.value)
        for node in inside
        if isinstance(node, ast.Return) and node.value is not None and not _is_none(node.value)
    }
    others = {
        part.id
        for target, value in bound(unit.node.body)
        if not _is_none(value)
        for part in all_below([target])
        if isinstance(part, ast.Name)
    }
    spelt = returned.pop() if len(returned) == 1 else ""
    if not spelt or not set(re.findall(r"\w+", spelt)) <= names - others:
        return ""
    return "; ".join((*map(ast.unparse, imports), f"return {spelt}"))


def _is_none(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _parses(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in PARSES_OPTIONS
    )
