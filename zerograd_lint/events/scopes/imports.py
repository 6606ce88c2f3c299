"""The imports of a file: which full name each of its names stands for."""

from __future__ import annotations

import libcst as cst

from ...syntax.names import dotted
from ...vocabulary.frameworks import IMPORTING_CALLS


class Imports:
    """Full names of what a file imports: `F` is `torch.nn.functional`."""

    def __init__(self) -> None:
        self._full: dict[str, str] = {}
        self._every: dict[str, list[str]] = {}
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
                self.bind(alias.asname.name.value, prefix + name)
            elif prefix:
                self.bind(name, prefix + name)
            else:
                top = name.partition(".")[0]
                self.bind(top, top)

    def learn_assigned(self, target: cst.BaseExpression, value: cst.BaseExpression) -> bool:
        """Take in `torch = pytest.importorskip("torch")`; False if it is something else."""
        match target, value:
            case (
                cst.Name(value=name),
                cst.Call(func=func, args=[cst.Arg(value=cst.SimpleString() as module), *_]),
            ) if self.full(dotted(func) or "") in IMPORTING_CALLS:
                self.bind(name, str(module.evaluated_value))
                return True
        return False

    def bind(self, name: str, full: str) -> None:
        """Let a name stand for what has this full name."""
        self._full[name] = full
        self._every.setdefault(name, []).append(full)

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

    def every(self, name: str) -> list[str]:
        """All that a dotted name may be where its root is imported several times, as fallbacks."""
        if name in self._read:
            return []
        root, dot, rest = name.partition(".")
        return [found + dot + rest for found in self._every.get(root, ())]
