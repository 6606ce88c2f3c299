"""The imports of a module by its `ast`: which names it takes from which modules."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import NamedTuple

_INNER = ("body", "orelse", "handlers", "finalbody", "cases")
_BLOCKS = {
    kind: found
    for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, ast.AST) and not issubclass(kind, ast.expr)
    if (found := [name for name in _INNER if name in kind._fields])
}
"""By kind of statement: the lists of statements in it."""


class Imported(NamedTuple):
    """One way a name is imported: `from ..engine import step` is level 2, `engine`, `step`."""

    level: int
    module: str
    name: str | None
    """None where the module itself is meant."""


@dataclass(slots=True)
class ImportTable:
    """All imports of a module, wherever they stand in it."""

    names: dict[str, set[Imported]] = field(default_factory=dict)
    """By name as it is spelt, `a.b` after `import a.b`: every import that binds it."""
    stars: list[Imported] = field(default_factory=list)
    """`from m import *`."""


def import_table(tree: ast.Module) -> ImportTable:
    """The imports of a module, of its functions and of all branches."""
    table = ImportTable()
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Import):
            for alias in node.names:
                meant = Imported(0, alias.name, None)
                table.names.setdefault(alias.asname or alias.name, set()).add(meant)
        elif isinstance(node, ast.ImportFrom):
            _learn_from(node, table)
        else:
            for name in _BLOCKS.get(type(node), ()):
                pending += getattr(node, name)
    return table


def _learn_from(node: ast.ImportFrom, table: ImportTable) -> None:
    for alias in node.names:
        meant = Imported(node.level, node.module or "", alias.name)
        if alias.name == "*":
            table.stars.append(meant)
        else:
            table.names.setdefault(alias.asname or alias.name, set()).add(meant)
