"""What stays the same about a file when only its looks change."""

from __future__ import annotations

import ast
from collections import Counter

from zerograd_lint import check_source


def verdict(text: str) -> Counter[str]:
    """The codes reported, however the lines are numbered."""
    return Counter(finding.code for finding in check_source(text))


class _Renaming(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self._names.get(node.id, node.id)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.Attribute:
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id == "self":
            node.attr = self._names.get(node.attr, node.attr)
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.arg = self._names.get(node.arg, node.arg)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.generic_visit(node)
        node.name = self._names.get(node.name, node.name)
        return node


def renamed(text: str, names: dict[str, str]) -> str:
    return ast.unparse(_Renaming(names).visit(ast.parse(text))) + "\n"


def reformatted(text: str) -> str:
    """As another formatter would write it: no comments, no blank lines, other quotes."""
    return ast.unparse(ast.parse(text)) + "\n"


def wrapped(text: str) -> str:
    """Every outermost loop inside an `if True:`."""
    tree = ast.parse(text)

    class Wrapping(ast.NodeTransformer):
        def visit_For(self, node: ast.For) -> ast.stmt:
            return ast.If(test=ast.Constant(True), body=[node], orelse=[])

        visit_While = visit_For

    return ast.unparse(ast.fix_missing_locations(Wrapping().visit(tree))) + "\n"


def stretched(text: str) -> str:
    """Each statement further away from the next: a comment and a blank line above it."""
    lines = []
    for line in text.split("\n"):
        if line.strip() and line.startswith(" "):
            indent = line[: len(line) - len(line.lstrip())]
            lines += ["", f"{indent}# and now"]
        lines.append(line)
    return "\n".join(lines)
