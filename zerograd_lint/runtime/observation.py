"""The result of an audit: the gradient bugs it observed, and the report that holds them."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from .call_sites import CallSite

_EXPLANATIONS = {
    "stale": "applied gradients that an earlier step had already applied",
    "wiped": "had nothing to apply: its gradients were cleared after backward",
    "defeated": "lost micro-batches: their gradients were cleared before it could apply them",
    "unfed": "ran without a backward pass of its own",
    "leak": "applied the gradients of another optimizer's loss as well",
    "none-crash": "failed because .grad was None",
    "scaled": "used gradients that were still multiplied by the loss scale",
}


@dataclass(frozen=True, slots=True)
class Observation:
    """One kind of gradient bug, seen at one line."""

    kind: str
    """One of the words that `_EXPLANATIONS` explains."""
    owner: str
    """What took the steps: an optimizer's `step()`, clipping, or an update written by hand."""
    site: CallSite
    deposit: CallSite | None
    """The backward pass that left the wrong gradients."""
    steps_affected: int
    steps_seen: int
    first_step: int
    relative_error: float | None = None
    worst_relative_error: float | None = None
    cosine: float | None = None
    wrong_share: float | None = None
    optimizer: int | None = None
    """The number of the optimizer, as in the curve."""

    def sentence(self) -> str:
        """One line for a person: place, kind, what happened, how often, how wrong."""
        return f"{self.site}: {self.kind}: {self.description()}"

    def description(self) -> str:
        """What happened, how often and how wrong: the sentence without place and kind."""
        parts = [f"{self.owner} {_EXPLANATIONS[self.kind]}"]
        if self.kind != "none-crash":
            parts.append(f"in {self.steps_affected} of {self.steps_seen} steps")
        if self.deposit is not None:
            parts.append(f"(backward at {self.deposit})")
        text = " ".join(parts)
        if self.relative_error is not None and self.cosine is not None:
            text += (
                f"; relative error {self.relative_error:.3g}, cosine {self.cosine:.3g}"
                f", wrong share {self.wrong_share or 0:.0%}"
            )
        return text


@dataclass(frozen=True, slots=True)
class Crash:
    """The exception that ended the program."""

    type: str
    message: str
    site: CallSite | None


@dataclass(slots=True)
class AuditReport:
    """What was observed in one process; filled in when the audited code has ended."""

    observations: list[Observation] = field(default_factory=list)
    steps: int = 0
    backwards: int = 0
    devices: list[str] = field(default_factory=list)
    curve: list[dict[str, float | None]] = field(default_factory=list)
    crash: Crash | None = None
    stopped_early: bool = False
    failure: str | None = None
    """What went wrong in the audit itself; what was seen until then still counts."""
    finished: bool = True
    """False inside the `with` block, where nothing has been judged yet."""

    @property
    def clean(self) -> bool:
        """Whether the whole was watched to its end, and no gradient bug was observed."""
        return self.finished and self.failure is None and not self.observations

    def kinds(self) -> set[str]:
        """The kinds of bugs that were observed."""
        return {observation.kind for observation in self.observations}

    def text(self) -> str:
        """The report as a person reads it."""
        lines = [observation.sentence() for observation in self.observations]
        if self.failure is not None:
            lines.append(f"no verdict: {self.failure}")
        elif not self.finished:
            lines.append("no verdict yet: the audit is still running")
        elif not lines:
            lines.append("no gradient bug was seen")
        lines.append(f"{self.steps} steps, {self.backwards} backward passes")
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """The report as plain dictionaries and lists."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> AuditReport:
        """The report that `to_json` was made from."""
        report = cls(**{**data, "observations": [], "crash": None})
        for each in data["observations"]:
            deposit = CallSite(**each["deposit"]) if each["deposit"] else None
            report.observations.append(
                Observation(**{**each, "site": CallSite(**each["site"]), "deposit": deposit})
            )
        if data["crash"]:
            site = CallSite(**data["crash"]["site"]) if data["crash"]["site"] else None
            report.crash = Crash(data["crash"]["type"], data["crash"]["message"], site)
        return report
