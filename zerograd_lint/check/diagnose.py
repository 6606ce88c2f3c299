"""From the parts of a file and of what it needs to drafts of findings: read them, ask the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..argument import Argument, holds
from ..config.settings import Settings
from ..finding import Finding, Span
from ..fixing.edits import Editor
from ..fixing.plan import Report
from ..project.needed_modules import ReadModule
from ..rules.asking import reports_of
from ..rules.rule import Rule
from .draft import Draft, Way
from .reading import Reading, read
from .source_places import SourcePlaces

ReportedThere = Callable[[str, str, Span], bool]
"""Whether a rule reports a place of another module when that module itself is checked."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What the rules report about one text."""

    drafts: list[Draft]
    """In order of place."""
    work: int
    """What it took, in characters read and steps of automata."""


def diagnose(
    text: str,
    modules: Sequence[ReadModule],
    settings: Settings,
    rules: Iterable[type[Rule]],
    reported_there: ReportedThere,
) -> Diagnosis:
    """All that these rules report about the first of the modules."""
    reading = read(modules, settings)
    editor = Editor(text, reading.positions)
    drafts: dict[tuple[Span, str], Draft] = {}
    for rule, report, argument in argued(rules, reading):
        if holds(argument):
            draft = _draft(rule, report, reading.places, editor, reported_there)
            if draft is not None:
                drafts.setdefault((draft.finding.span, rule.code), draft)
    in_order = [drafts[place] for place in sorted(drafts)]
    work = sum(len(module.part.text) for module in modules) + reading.analysis.steps
    return Diagnosis(in_order, work)


def is_settled_alone(
    modules: Sequence[ReadModule], settings: Settings, rules: Iterable[type[Rule]]
) -> bool:
    """Whether nothing is reported about a file by itself, and nothing out of view could change it.

    Most files that train are right and hand nothing to others: for them no other module is read.
    """
    reading = read(modules, settings)
    return not reading.depends_on_others and not any(argued(rules, reading))


def argued(
    rules: Iterable[type[Rule]], reading: Reading
) -> Iterator[tuple[type[Rule], Report, Argument]]:
    """What rules would report, each with its argument: it is said only if that consists of yes."""
    for rule in rules:
        for report in reports_of(rule, reading.analysis, reading.places.line):
            yield rule, report, reading.arguments.of(rule.asks, report.events)


def _draft(
    rule: type[Rule],
    report: Report,
    places: SourcePlaces,
    editor: Editor,
    reported_there: ReportedThere,
) -> Draft | None:
    """The draft of a report; None if it belongs to another file."""
    place = report.place or report.event.site
    origin = places.origin(place)
    message = report.message
    related = [places.related(event, text) for event, text in report.related]
    if origin is not None:
        if reported_there(origin[0], rule.code, origin[1]):
            return None
        message = f"{places.named(place)}, run from here: {message}"
        related.append(places.related(report.event, "this is what it leads to"))
    related.sort(key=lambda item: (item.path is not None, item.path or "", item.span))
    finding = Finding(rule.code, rule.name, message, places.span(place), tuple(related))
    ways = (Way(p.advice, editor.fix(p) if origin is None else None) for p in report.plans)
    return Draft(finding, tuple(ways), report.advice)
