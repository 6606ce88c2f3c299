"""A random program that is linted and run: its files, and the command lines it is run with."""

from __future__ import annotations

from dataclasses import dataclass

MAIN = "main.py"


@dataclass(frozen=True)
class Sample:
    files: dict[str, str]
    """Text by file name; `main.py` is the one that is run."""
    runs: tuple[tuple[str, ...], ...] = ((),)
    """The arguments of each run: one for every configuration of the program."""
    changes: frozenset[str] = frozenset()
    """What was done to a right program to make this one of it, where that is kept."""

    @property
    def text(self) -> str:
        """All of it, to be shown and counted."""
        if len(self.files) == 1:
            return self.files[MAIN]
        return "\n".join(f"# {name}\n{text}" for name, text in self.files.items())
