"""Leave out of a file what cannot matter, so that the slow, lossless parser reads little.

`ast` is eleven times faster than libcst. It finds the functions that neither touch gradients nor
call one that does; their bodies are blanked, lines and columns of the rest stay as they are.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import accumulate

from . import limits
from .gate import can_train

_ACTS = re.compile(
    r"(?<!def )backward\w*[ \t]*\(|\.backward\b|zero_(?!point)|\.grad\b|\.step\b|unscale"
    r"|_step[ \t]*\("
)
"""Something may happen to gradients here, so whoever calls it matters as well."""
_HOLDS = re.compile(r"scaler|optim(?!al|um|i[sz](?:e\b|ed|es\b|ing|ation))|\bopt\w{0,2}\b")
"""Here is talk of what does it: an optimizer is made, chosen or passed on."""
_COMMENT = re.compile(r"^[ \t]*#.*", re.MULTILINE)
_WORD = re.compile(r"\w+")
_ALIAS = re.compile(r"\b(\w+)[ \t]*=[ \t]*(?:[\w.]+\([ \t]*)?(?:\w+\.)*(\w+)(?![\w.(\[])")
"""Another name for a function: `self.on_batch = self.train_step`, `fast = compile(train_step)`."""
_SETS = re.compile(r"\bself\.(\w+)[ \t]*(?::[^=\n]+)?=(?!=)")
_LARGE = 2_000
"""Characters from which on a literal that touches nothing is left out as well."""

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(slots=True, eq=False)
class _Class:
    name: str
    bases: frozenset[str]
    wanted: bool = False


@dataclass(slots=True, eq=False)
class _Function:
    node: FunctionNode
    owner: _Class | None
    text: str = ""
    words: frozenset[str] = field(default_factory=frozenset)


def relevant_text(text: str, own_names: Iterable[str] = ()) -> str:
    """The text with irrelevant parts blanked; all of it where `ast` cannot read it.

    Empty if only docstrings and comments speak of gradients.
    `own_names` are further words that speak of gradients in this project.
    Raises `SourceError` for what the slow parser must not be given.
    """
    limits.refuse_size(text)
    tree = _parse(text)
    if tree is None or "\f" in text or "\r" in text.replace("\r\n", ""):
        limits.refuse_tangles([(1, text)])
        return _accepted(text.split("\n"))
    # Not `splitlines`: a line of Python ends with a newline and nothing else.
    lines = text.split("\n")
    names = frozenset(own_names)
    functions, classes = _definitions(tree)
    for function in functions:
        function.text = _code(function.node, lines)
        function.words = frozenset(_WORD.findall(function.text))
    outside = _outside(tree, functions, lines)
    irrelevant = _irrelevant(functions, classes, lines, outside, names)
    code = outside + "".join(f.text for f in functions if f not in set(irrelevant))
    if not can_train(code, names):
        return ""
    for function in irrelevant:
        _blank(function.node, lines)
    limits.refuse_tangles(_long_statements(tree, lines))
    return _accepted(lines)


def _accepted(lines: list[str]) -> str:
    """What the slow parser is given at last."""
    limits.refuse_rest(lines)
    text = "\n".join(lines)
    limits.refuse_patterns(text)
    return text


def _parse(text: str) -> ast.Module | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def _definitions(tree: ast.Module) -> tuple[list[_Function], list[_Class]]:
    """Functions and methods, but not what is nested in a function."""
    functions: list[_Function] = []
    classes: list[_Class] = []
    pending: list[tuple[ast.AST, _Class | None]] = [(tree, None)]
    while pending:
        parent, owner = pending.pop()
        for child in _statements(parent):
            if isinstance(child, FunctionNode):
                functions.append(_Function(child, owner))
            elif isinstance(child, ast.ClassDef):
                bases = frozenset(_last_name(base) for base in child.bases)
                inner = _Class(child.name, bases)
                classes.append(inner)
                pending.append((child, inner))
            else:
                pending.append((child, owner))
    return functions, classes


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    for name in ("body", "handlers", "orelse", "finalbody", "cases"):
        yield from getattr(node, name, ())


def _touches(text: str) -> bool:
    return bool(_ACTS.search(text) or _HOLDS.search(text))


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


# --- functions ------------------------------------------------------------------------------


def _irrelevant(
    functions: list[_Function],
    classes: list[_Class],
    lines: list[str],
    outside: str,
    own_names: frozenset[str],
) -> list[_Function]:
    """Functions that touch no gradients and mention no function that does.

    A constructor matters as soon as its class does, and a generator as soon as it is mentioned:
    a loop over it runs inside it.
    """
    if not functions:
        return []
    acting = [f for f in functions if _ACTS.search(f.text) or not own_names.isdisjoint(f.words)]
    fresh = [*acting, *(f for f in functions if f not in set(acting) and _HOLDS.search(f.text))]
    mentioned = set(_WORD.findall(outside))
    aliases = [pair for line in lines if "=" in line for pair in _ALIAS.findall(line)]
    undecided = [f for f in functions if f not in set(fresh)]
    while True:
        names = {f.node.name for f in acting} - {"__init__"}
        names |= {alias for alias, function in aliases if function in names}
        for function in fresh:
            mentioned |= function.words
            if function.owner is not None:
                function.owner.wanted = True
        _want_bases(classes)
        wanted = {owner.name for owner in classes if owner.wanted}
        fresh = acting = [f for f in undecided if _matters(f, names, mentioned, wanted)]
        if not fresh:
            return undecided
        undecided = [f for f in undecided if f not in set(fresh)]


def _matters(function: _Function, names: set[str], mentioned: set[str], wanted: set[str]) -> bool:
    if not names.isdisjoint(function.words):
        return True
    if function.owner is not None and function.owner.wanted:
        # What a method puts into an attribute may be what the others train.
        if not mentioned.isdisjoint(_SETS.findall(function.text)):
            return True
    if function.node.name == "__init__" and function.owner is not None:
        return function.owner.wanted or not wanted.isdisjoint(function.words)
    return "yield" in function.words and function.node.name in mentioned


def _want_bases(classes: list[_Class]) -> None:
    """What a class inherits from matters with it."""
    while True:
        bases = {base for owner in classes if owner.wanted for base in owner.bases}
        found = [owner for owner in classes if owner.name in bases and not owner.wanted]
        if not found:
            return
        for owner in found:
            owner.wanted = True


def _code(function: FunctionNode, lines: list[str]) -> str:
    """The text of a function, its docstring and the comments between lines left out."""
    start = function.lineno - 1
    head: list[str] = []
    docstring = _docstring(function)
    if docstring is not None and docstring.lineno > function.lineno:
        head, start = lines[start : docstring.lineno - 1], docstring.end_lineno or 0
    return _COMMENT.sub("", "\n".join(head + lines[start : function.end_lineno]))


def _docstring(
    node: FunctionNode | ast.ClassDef | ast.Module,
) -> ast.Expr | None:
    match node.body[:1]:
        case [ast.Expr(value=ast.Constant(value=str())) as first]:
            return first
    return None


def _outside(tree: ast.Module, functions: list[_Function], lines: list[str]) -> str:
    """The lines of a file that belong to no function, no docstring and no comment."""
    left_out: list[ast.stmt] = [function.node for function in functions]
    pending: list[ast.AST] = [tree]
    while pending:
        parent = pending.pop()
        if isinstance(parent, ast.Module | ast.ClassDef):
            docstring = _docstring(parent)
            if docstring is not None:
                left_out.append(docstring)
            pending += parent.body
    rest: list[str] = []
    at = 0
    for node in sorted(left_out, key=lambda node: node.lineno):
        rest += lines[at : node.lineno - 1]
        at = max(at, node.end_lineno or 0)
    return _COMMENT.sub("", "\n".join([*rest, *lines[at:], ""]))


def _blank(function: FunctionNode, lines: list[str]) -> None:
    first = function.body[0]
    line = lines[first.lineno - 1]
    indent = line[: first.col_offset]
    if indent.strip():
        return  # the body begins on the line of the signature
    start, end = first.lineno, function.end_lineno or first.lineno
    if isinstance(first, FunctionNode | ast.ClassDef) and first.decorator_list:
        start = min(decorator.lineno for decorator in first.decorator_list)
    _replace(lines, start, end, f"{indent}pass")


def _replace(lines: list[str], start: int, end: int, code: str) -> None:
    """Put one line in the place of several, the numbers of all others staying as they are."""
    for number in range(start, end + 1):
        ending = "\r" if lines[number - 1].endswith("\r") else ""
        lines[number - 1] = (code if number == start else "") + ending


# --- long statements ------------------------------------------------------------------------


def _long_statements(tree: ast.Module, lines: list[str]) -> Iterator[tuple[int, str]]:
    """Statements long enough to hold a tangle, with their first line; large literals go."""
    offsets = [0, *accumulate(len(line) + 1 for line in lines)]
    told = (0, 0)
    pending: list[ast.AST] = [tree]
    while pending:
        for node in _statements(pending.pop()):
            start, end = _extent(node)
            if offsets[end] - offsets[start - 1] < limits.TANGLE_NEEDS:
                continue
            inner = next(_statements(node), None)
            if inner is not None:
                pending.append(node)
                end = max(start, _extent(inner)[0] - 1)
            elif offsets[end] - offsets[start - 1] > _LARGE and _is_literal(node, lines):
                name = node.targets[0].id  # type: ignore[attr-defined]
                _replace(lines, start, end, f"{' ' * node.col_offset}{name} = 0")  # type: ignore[attr-defined]
                continue
            # Statements that share a line share its text.
            if offsets[end] - offsets[start - 1] >= limits.TANGLE_NEEDS and told != (start, end):
                told = (start, end)
                yield start, "\n".join(lines[start - 1 : end])


def _extent(node: ast.AST) -> tuple[int, int]:
    """First and last line of a statement, its decorators included."""
    match node:
        case ast.match_case(pattern=pattern, body=body):
            return pattern.lineno, body[-1].end_lineno or 0
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            start = min((d.lineno for d in node.decorator_list), default=node.lineno)
            return start, node.end_lineno or 0
    return node.lineno, node.end_lineno  # type: ignore[attr-defined]


def _is_literal(node: ast.AST, lines: list[str]) -> bool:
    """A constant table bound to one name, alone on its lines."""
    match node:
        case ast.Assign(targets=[ast.Name()], value=value) if isinstance(
            value, ast.List | ast.Tuple | ast.Dict | ast.Set | ast.Constant
        ):
            before = lines[node.lineno - 1][: node.col_offset]
            after = lines[(node.end_lineno or 0) - 1].encode()[node.end_col_offset or 0 :].strip()
            alone = not before.strip(" ") and (not after or after.startswith(b"#"))
            return alone and not _touches("\n".join(lines[node.lineno - 1 : node.end_lineno]))
    return False
