"""The imports of a file: which full name each of its names stands for."""

from __future__ import annotations

import libcst as cst

from ...syntax.names import dotted


class Imports:
    """Full names of what a file imports: `F` is `torch.nn.functional`."""

    def __init__(self) -> None:
        self._full: dict[str, str] = {}
        self._every: dict[str, list[str]] = {}

    def learn(self, statement: cst.Import | cst.ImportFrom) -> None:
        """Take in the names that an import statement binds."""
        if isinstance(statement.names, cst.ImportStar):
            return
        prefix = ""
        if isinstance(statement, cst.ImportFrom):
            prefix = "." * len(statement.relative)
            prefix += (dotted(statement.module) or "") if statement.module else ""
            prefix += "."
        for alias in statement.names:
            name = dotted(alias.name) or ""
            if alias.asname is not None and isinstance(alias.asname.name, cst.Name):
                self._bind(alias.asname.name.value, prefix + name)
            elif prefix:
                self._bind(name, prefix + name)
            else:
                top = name.partition(".")[0]
                self._bind(top, top)

    def _bind(self, name: str, full: str) -> None:
        self._full[name] = full
        self._every.setdefault(name, []).append(full)

    def full(self, name: str) -> str | None:
        """The imported thing behind a dotted name, or None if its root was not imported."""
        root, dot, rest = name.partition(".")
        found = self._full.get(root)
        return None if found is None else found + dot + rest

    def every(self, name: str) -> list[str]:
        """All that a dotted name may be where its root is imported several times, as fallbacks."""
        root, dot, rest = name.partition(".")
        return [found + dot + rest for found in self._every.get(root, ())]
