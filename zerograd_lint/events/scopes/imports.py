"""The imports of a file: which full name each of its names stands for."""

from __future__ import annotations

import libcst as cst

from ...syntax.names import dotted


class Imports:
    """Full names of what a file imports: `F` is `torch.nn.functional`."""

    def __init__(self) -> None:
        self._full: dict[str, str] = {}
        self._read: set[str] = set()
        """Names whose meaning has been read, so that they are as good as defined here."""

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
                self._full[alias.asname.name.value] = prefix + name
            elif prefix:
                self._full[name] = prefix + name
            else:
                top = name.partition(".")[0]
                self._full[top] = top

    def read(self, name: str) -> None:
        """Take note that what a name stands for is in view."""
        self._read.add(name)

    def is_read(self, name: str) -> bool:
        """Whether what an imported name stands for is in view."""
        return name in self._read

    def full(self, name: str) -> str | None:
        """What is behind a dotted name; None if it is in view, or its root is not imported."""
        if name in self._read:
            return None
        root, dot, rest = name.partition(".")
        found = self._full.get(root)
        return None if found is None else found + dot + rest
