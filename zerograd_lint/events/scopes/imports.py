"""Dotted names, and what the imports of a file make of them."""

from __future__ import annotations

from ... import tree


def dotted(node: tree.BaseExpression) -> str | None:
    """`a.b.c` for a chain of names, None for anything else."""
    parts: list[str] = []
    while type(node) is tree.Attribute:
        parts.append(node.attr.value)
        node = node.value
    if type(node) is not tree.Name:
        return None
    parts.append(node.value)
    return ".".join(reversed(parts))


class Imports:
    """Full names of what a file imports: `F` is `torch.nn.functional`."""

    def __init__(self) -> None:
        self._full: dict[str, str] = {}

    def learn(self, statement: tree.Import | tree.ImportFrom) -> None:
        if isinstance(statement.names, tree.ImportStar):
            return
        prefix = ""
        if isinstance(statement, tree.ImportFrom):
            prefix = "." * statement.relative
            prefix += (dotted(statement.module) or "") if statement.module else ""
            prefix += "."
        for alias in statement.names:
            name = dotted(alias.name) or ""
            if alias.asname is not None and isinstance(alias.asname.name, tree.Name):
                self._full[alias.asname.name.value] = prefix + name
            elif prefix:
                self._full[name] = prefix + name
            else:
                top = name.partition(".")[0]
                self._full[top] = top

    def full(self, name: str) -> str | None:
        """The imported thing behind a dotted name, or None if its root was not imported."""
        root, dot, rest = name.partition(".")
        found = self._full.get(root)
        return None if found is None else found + dot + rest
