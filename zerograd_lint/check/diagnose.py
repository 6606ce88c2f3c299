"""From what has been read of a file to drafts of findings: ask the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ..argument import holds
from ..finding import Finding, Span
from ..fixing.edits import Editor
from ..fixing.plan import Report
from ..rules.rule import Rule
from .draft import Draft, Remedy
from .reading import Reading
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
    text: str, reading: Reading, rules: Iterable[type[Rule]], reported_there: ReportedThere
) -> Diagnosis:
    """All that these rules report about the file that was read."""
    editor = Editor(text, reading.positions)
    drafts: dict[tuple[Span, str], Draft] = {}
    for rule, report, argument in reading.argued(rules):
        if holds(argument):
            draft = _draft(rule, report, reading.places, editor, reported_there)
            if draft is not None:
                drafts.setdefault((draft.finding.span, rule.code), draft)
    in_order = [drafts[place] for place in sorted(drafts)]
    work = sum(len(module.part.text) for module in reading.modules) + reading.analysis.steps
    return Diagnosis(in_order, work)


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
    finding = Finding(
        rule.code, rule.name, message, places.span(place, report.events), tuple(related)
    )
    remedies = (Remedy(p.advice, editor.fix(p) if origin is None else None) for p in report.plans)
    return Draft(finding, tuple(remedies), report.advice)
