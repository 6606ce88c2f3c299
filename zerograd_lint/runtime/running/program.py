"""A program to run: what starts it, where it works, and what is changed in it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Program:
    """A script or a module to run, perhaps with another source text in one of its files."""

    script: Path | None
    arguments: tuple[str, ...] = ()
    module: str | None = None
    """Runs instead of a script, as with `python -m`."""
    works_in: Path | None = None
    """The folder it works in, of which it gets a copy; None for an empty one."""
    replaced: dict[str, str] = field(default_factory=dict)
    watched_file: str | None = None
    enforce: bool = False
    stdin: Path = Path(os.devnull)
    steps: int | None = None
    """End it after so many steps, whatever the others are given."""
    awaited: tuple[tuple[int, ...], ...] = ()
    """Do not end it before a line of each of these was executed in the watched file."""

    def with_text(self, file: str, text: str) -> Program:
        """The same program with another text in this file."""
        return replace(self, replaced={**self.replaced, file: text})

    def watching(self, file: str) -> Program:
        """The same program, of which the executed lines of this file are recorded."""
        return replace(self, watched_file=file)

    def awaiting(self, *lines: Iterable[int]) -> Program:
        """The same program, which goes on until a line of each of these was executed."""
        return replace(self, awaited=tuple(map(tuple, lines)))

    def for_steps(self, steps: int) -> Program:
        """The same program, ended after so many steps."""
        return replace(self, steps=steps)

    def folders(self) -> list[Path]:
        """The folders it gets a copy of: where it works, and where its script is."""
        if self.works_in is None:
            return []
        working = self.works_in.resolve()
        apart = self.script is not None and not self.script.is_relative_to(working)
        return [working, self.script.parent] if self.script and apart else [working]
