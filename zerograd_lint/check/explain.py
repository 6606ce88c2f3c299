"""Why a line is reported, or why it is not: every question, its answer and the reason."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..argument import STEP_TO_STEP, Argument, holds
from ..config.settings import Settings
from ..events.event import Consume, Event
from ..prefilter.outline import Outline
from ..rules.registry import enabled_rules
from ..syntax import limits
from .project_reading import FileInProject
from .reading import Reading


@dataclass(frozen=True, slots=True)
class Explanation:
    """What is said, or not said, about one event of a line, and the argument for it."""

    line: int
    claim: str
    argument: Argument
    code: str = ""
    """The rule that reports it, or would if it were known; empty for a step that none reports."""

    @property
    def is_reported(self) -> bool:
        """Whether a rule reports it, with all answers yes."""
        return bool(self.code) and holds(self.argument)


def explain(text: str, filename: str, settings: Settings) -> list[Explanation]:
    """The arguments about all lines of a file, in order of place.

    A finding is explained where it stands; a step that is not reported, where the step stands.
    """
    limits.refuse_size(text)
    rules = enabled_rules(settings)
    modules = FileInProject(Outline(text), filename, settings, rules, with_turns=True).modules()
    if not modules:
        return []
    reading = Reading(modules, settings)
    found: list[Explanation] = []
    explained: set[Event] = set()
    for rule, report, argument in reading.argued(rules):
        place = report.place or report.event.site
        line = reading.places.span(place).start.line
        found.append(Explanation(line, report.message, argument, rule.code))
        explained.update(report.events)
    found += _steps(reading, explained)
    return sorted(found, key=lambda explanation: explanation.line)


def _steps(reading: Reading, explained: set[Event]) -> Iterator[Explanation]:
    """Steps that no rule reports: what is known of the way from each to the next."""
    for event in reading.analysis.events:
        if isinstance(event, Consume) and event not in explained:
            for account in reading.arguments.accounts(event):
                argument = reading.arguments.about(account, event, STEP_TO_STEP)
                line = reading.places.span(event.site).start.line
                yield Explanation(line, f"'{event.spelling}' steps here", argument)
                break
