"""One file to check, with all that its result depends on."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from ..config import baseline
from ..config.settings import Settings
from ..finding import Finding
from .options import CHECK


@dataclass(frozen=True, slots=True)
class Task:
    """One file to check; picklable, so that another process can do it."""

    path: str
    kind: str
    data: bytes
    settings: Settings
    ignored: tuple[str, ...] = ()
    """Selectors that per-file ignores turn off."""
    known: baseline.Known = field(default_factory=Counter)
    """The baseline's findings in this file."""
    mode: str = CHECK
    unsafe: bool = False
    write: bool = True
    """Whether changes go to the file; else they are only returned (standard input)."""
    cpu_limit: float = 10.0
    cache_folder: str | None = None

    def wanted(self, text: str, findings: list[Finding]) -> list[Finding]:
        """The findings without those that per-file ignores turn off or the baseline holds."""
        if "ALL" in self.ignored:
            return []
        kept = [f for f in findings if not self.ignored or not f.code.startswith(self.ignored)]
        return baseline.new_only(kept, text, self.known)
