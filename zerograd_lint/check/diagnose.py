"""From an excerpt of a file to its findings: read it, and ask the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..argument import Argument, holds
from ..config.settings import Settings
from ..finding import Finding, Related, Span
from ..fixing.edits import Editor
from ..fixing.plan import Report
from ..prefilter.excerpt import Excerpt
from ..rules.asking import reports_of
from ..rules.rule import Rule
from ..syntax.positions import Positions
from .reading import Reading, read


def diagnose(
    text: str, part: Excerpt, settings: Settings, rules: Iterable[type[Rule]]
) -> list[Finding]:
    """All findings of these rules, in order of place."""
    reading = read(part, settings)
    editor = Editor(text, reading.positions)
    findings: dict[tuple[str, Span], Finding] = {}
    for rule, report, argument in argued(rules, reading):
        if holds(argument) or not rule.on_by_default:
            finding = _finding(rule, report, reading.positions, editor)
            findings.setdefault((rule.code, finding.span), finding)
    return sorted(findings.values(), key=lambda f: (f.span, f.code))


def argued(
    rules: Iterable[type[Rule]], reading: Reading
) -> Iterator[tuple[type[Rule], Report, Argument]]:
    """What rules would report, each with its argument: it is said only if that consists of yes."""
    for rule in rules:
        for report in reports_of(rule, reading.analysis, reading.line):
            yield rule, report, reading.arguments.of(rule.asks, report.events)


def _finding(rule: type[Rule], report: Report, positions: Positions, editor: Editor) -> Finding:
    places = [(positions.span(event.site.node), message) for event, message in report.related]
    related = tuple(Related(span, message) for span, message in sorted(places, key=lambda p: p[0]))
    fix = editor.fix(report.plan) if report.plan is not None else None
    place = report.place or report.event.site
    return Finding(rule.code, rule.name, report.message, positions.span(place.node), related, fix)
