"""A finding as the rules leave it: its fix is still to be chosen."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..finding import Finding, Fix


@dataclass(frozen=True, slots=True)
class Remedy:
    """One way to mend a finding."""

    advice: str
    fix: Fix | None
    """None where the edit cannot be written."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A finding without advice and fix, and its remedies, the best first."""

    finding: Finding
    remedies: tuple[Remedy, ...]
    advice: str
    """What to do where no remedy holds."""

    @property
    def best_remedy(self) -> Remedy | None:
        """The remedy to choose if all of them held."""
        written = (each for each in self.remedies if each.fix is not None)
        return next(written, self.remedies[0] if self.remedies else None)

    def decided(self, remedy: Remedy | None) -> Finding:
        """The finding with the advice and the fix of the chosen remedy."""
        advice = (remedy.advice if remedy is not None else "") or self.advice
        message = self.finding.message
        if advice:
            message += f"{'; ' if ': ' in message else ': '}{advice}"
        return replace(
            self.finding, message=message, fix=remedy.fix if remedy is not None else None
        )
