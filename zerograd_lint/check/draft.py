"""A finding as the rules leave it: its fix is still to be chosen."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..finding import Finding, Fix


@dataclass(frozen=True, slots=True)
class Way:
    """One way to mend a finding."""

    advice: str
    fix: Fix | None
    """None where the edit cannot be written."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A finding without advice and fix, and the ways to mend it, the best first."""

    finding: Finding
    ways: tuple[Way, ...]
    advice: str
    """What to do where no way holds."""

    @property
    def best_way(self) -> Way | None:
        """The way to choose if all of them held."""
        written = (way for way in self.ways if way.fix is not None)
        return next(written, self.ways[0] if self.ways else None)

    def decided(self, way: Way | None) -> Finding:
        """The finding with the advice and the fix of the chosen way."""
        advice = (way.advice if way is not None else "") or self.advice
        message = self.finding.message
        if advice:
            message += f"{'; ' if ': ' in message else ': '}{advice}"
        return replace(self.finding, message=message, fix=way.fix if way is not None else None)
