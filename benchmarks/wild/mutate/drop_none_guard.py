"""Remove the None guard of a zeroing by hand: the first iteration crashes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ..hidden import TrainingFile
from ..training import BACKWARD, Scope
from .lines import Lines
from .mutant import Mutant, mutant

_ZEROES = re.compile(r"\.grad(\.data)?\.(zero_|fill_|detach_)\(")


def mutants(file: TrainingFile) -> Iterator[Mutant]:
    """One for every `if p.grad is not None:` whose body clears by method calls and that the first
    backward of the same function comes after: only then is the gradient surely None at first.
    Where this file calls the function, the gradient may be left from what the caller did."""
    for scope in file.scopes:
        if file.callers(scope):
            continue
        for guard in _guards(scope.node):
            lines = Lines(file.text)
            simple = all(isinstance(s, ast.Expr) and lines.is_plain(s) for s in guard.body)
            backwards = [site.line for site in scope.of(BACKWARD)]
            first = bool(backwards) and guard.lineno < min(backwards)
            if not simple or not first or not lines.is_plain(guard) or not _is_if(file.text, guard):
                continue
            lines.replace(guard, [lines.source(statement) for statement in guard.body])
            made = mutant(lines, guard.lineno, [scope], {"ZG003"})
            if made is not None:
                yield made


def _guards(node: Scope | ast.AST) -> Iterator[ast.If]:
    assert isinstance(node, ast.AST)
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        if isinstance(child, ast.If) and not child.orelse and _presence(child.test):
            body = "\n".join(ast.unparse(s) for s in child.body)
            if all(_ZEROES.search(line) for line in body.splitlines()) and "zero_" in body:
                yield child
        yield from _guards(child)


def _is_if(text: str, guard: ast.If) -> bool:
    """An `elif` cannot be taken out without taking its `if` along."""
    return (ast.get_source_segment(text, guard) or "").startswith("if")


def _presence(test: ast.expr) -> bool:
    match test:
        case ast.Compare(left=ast.Attribute(attr="grad"), ops=[ast.IsNot()], comparators=[other]):
            return isinstance(other, ast.Constant) and other.value is None
    return False
