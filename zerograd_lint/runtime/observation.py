"""The result of an audit: the gradient bugs it observed, and the report that holds them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

from .call_sites import CallSite
from .wording import EXPLANATIONS, advice, counted, size_and_direction

BY_HAND = 0
"""Stands for the number of the optimizer where an update is written by hand."""

_SCALARS = {"norm": "gradient norm", "error": "relative error", "loss": "loss"}


class ScalarWriter(Protocol):
    """What takes numbers as TensorBoard's `SummaryWriter` does."""

    def add_scalar(self, tag: str, scalar_value: float, global_step: int, /) -> object: ...


@dataclass(frozen=True, slots=True)
class WorstStep:
    """The step with the largest error, and the two parts of the gradient there."""

    step: int
    size: float
    """The length of the applied gradient over that of the right one."""
    cosine: float
    wrong_norm: float
    """The length of what should not have been there, or of what was missing."""
    right_norm: float
    """The length of the right gradient; for lost micro-batches of what was left of it."""

    def in_words(self) -> str:
        """One line: "by step 20 the applied gradient was 9 times too large, pointing 66° away"."""
        if self.size == 0:
            return "these steps applied nothing: nothing was learned from their batches"
        return f"by step {self.step} {size_and_direction(self.size, self.cosine)}"


@dataclass(frozen=True, slots=True)
class Observation:
    """One kind of gradient bug, seen at one line."""

    kind: str
    """One of the words that `wording.EXPLANATIONS` explains."""
    owner: str
    """What took the steps: an optimizer's `step()`, clipping, or an update written by hand."""
    site: CallSite
    deposit: CallSite | None
    """The backward pass that left the wrong gradients."""
    steps_affected: int
    steps_seen: int
    first_step: int
    relative_error: float | None = None
    """The mean over all steps that were measured, as are cosine and wrong share."""
    worst_relative_error: float | None = None
    cosine: float | None = None
    wrong_share: float | None = None
    optimizer: int | None = None
    """The number of the optimizer, as in the curve; `BY_HAND` where there is none."""
    worst: WorstStep | None = None

    def sentence(self) -> str:
        """One line for a person: place, kind, what happened and how often."""
        return f"{self.site}: {self.kind}: {self.description()}"

    def description(self) -> str:
        """What happened and how often: the sentence without place and kind."""
        parts = [f"{self.owner} {EXPLANATIONS[self.kind]}"]
        if self.kind != "none-crash":
            parts.append(f"in {self.steps_affected} of {counted(self.steps_seen, 'step')}")
        if self.deposit is not None:
            parts.append(f"(backward at {self.deposit})")
        return " ".join(parts)

    def in_words(self) -> str | None:
        """How wrong it was, in words; None where it was not measured."""
        return self.worst.in_words() if self.worst is not None else None

    def advice(self) -> str:
        """What to change, in one line."""
        return advice(self.kind, by_hand=self.optimizer == BY_HAND)

    def text(self) -> str:
        """The sentence, how wrong it was, what to change, and the numbers: a line each."""
        lines = [self.sentence()]
        if self.worst is not None:
            lines.append(self.worst.in_words())
        lines.append(f"to change: {self.advice()}")
        if self.relative_error is not None and self.cosine is not None:
            lines.append(
                f"on average: relative error {self.relative_error:.3g}, cosine {self.cosine:.3g}"
                f", wrong share {self.wrong_share or 0:.0%}"
            )
        return "\n    ".join(lines)


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
    scaler_switched_off: bool = False
    """A GradScaler did nothing, as torch makes them where their device is missing."""
    failure: str | None = None
    """What went wrong in the audit itself; what was seen until then still counts."""
    notes: list[str] = field(default_factory=list)
    """What is no bug, but may not be meant: parameters that training passes by."""
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
        lines = [observation.text() for observation in self.observations]
        if self.failure is not None:
            lines.append(f"no verdict: {self.failure}")
        elif not self.finished:
            lines.append("no verdict yet: the audit is still running")
        elif not lines:
            lines.append("no gradient bug was seen")
        lines += [f"note: {note}" for note in self.notes]
        lines.append(f"{counted(self.steps, 'step')}, {counted(self.backwards, 'backward pass')}")
        return "\n".join(lines)

    def scalars(self) -> Iterator[tuple[str, int, float]]:
        """The curve as TensorBoard and other loggers take it: name, step and value."""
        for point in self.curve:
            for key, name in _SCALARS.items():
                value = point[key]
                if value is not None:
                    owner = f"optimizer {point['owner']:.0f}" if point["owner"] else "by hand"
                    yield f"{owner}/{name}", int(point["step"] or 0), value

    def write_scalars(self, writer: ScalarWriter) -> None:
        """Write the curve to a `SummaryWriter` of TensorBoard, or to what has its `add_scalar`."""
        for name, step, value in self.scalars():
            writer.add_scalar(name, value, step)

    def to_json(self) -> dict[str, Any]:
        """The report as plain dictionaries and lists."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> AuditReport:
        """The report that `to_json` was made from."""
        report = cls(**{**data, "observations": [], "crash": None})
        for each in data["observations"]:
            deposit = CallSite(**each["deposit"]) if each["deposit"] else None
            worst = WorstStep(**each["worst"]) if each["worst"] else None
            places = {"site": CallSite(**each["site"]), "deposit": deposit, "worst": worst}
            report.observations.append(Observation(**{**each, **places}))
        if data["crash"]:
            site = CallSite(**data["crash"]["site"]) if data["crash"]["site"] else None
            report.crash = Crash(data["crash"]["type"], data["crash"]["message"], site)
        return report
