"""From an excerpt of a file to drafts of findings: read it, and ask the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..argument import Argument, holds
from ..config.settings import Settings
from ..finding import Finding, Related, Span
from ..fixing.edits import Editor
from ..fixing.plan import Report
from ..prefilter.excerpt import Excerpt
from ..rules.asking import reports_of
from ..rules.rule import Rule
from ..syntax.positions import Positions
from .draft import Draft, Way
from .reading import Reading, read


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What the rules report about one text."""

    drafts: list[Draft]
    """In order of place."""
    work: int
    """What it took, in characters read and steps of automata."""


def diagnose(
    text: str, part: Excerpt, settings: Settings, rules: Iterable[type[Rule]]
) -> Diagnosis:
    """All that these rules report."""
    reading = read(part, settings)
    editor = Editor(text, reading.positions)
    drafts: dict[tuple[Span, str], Draft] = {}
    for rule, report, argument in argued(rules, reading):
        if holds(argument) or not rule.on_by_default:
            draft = _draft(rule, report, reading.positions, editor)
            drafts.setdefault((draft.finding.span, rule.code), draft)
    in_order = [drafts[place] for place in sorted(drafts)]
    return Diagnosis(in_order, len(part.text) + reading.analysis.steps)


def argued(
    rules: Iterable[type[Rule]], reading: Reading
) -> Iterator[tuple[type[Rule], Report, Argument]]:
    """What rules would report, each with its argument: it is said only if that consists of yes."""
    for rule in rules:
        for report in reports_of(rule, reading.analysis, reading.line):
            yield rule, report, reading.arguments.of(rule.asks, report.events)


def _draft(rule: type[Rule], report: Report, positions: Positions, editor: Editor) -> Draft:
    places = [(positions.span(event.site.node), message) for event, message in report.related]
    related = tuple(Related(span, message) for span, message in sorted(places, key=lambda p: p[0]))
    place = report.place or report.event.site
    finding = Finding(rule.code, rule.name, report.message, positions.span(place.node), related)
    ways = tuple(Way(plan.advice, editor.fix(plan)) for plan in report.plans)
    return Draft(finding, ways, report.advice)
