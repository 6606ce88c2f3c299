"""From the parts of a file and of what it needs to its findings: read them, and ask the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from ..argument import Argument, holds
from ..config.settings import Settings
from ..finding import Finding, Span
from ..fixing.edits import Editor
from ..fixing.plan import Report
from ..project.needed_modules import ReadModule
from ..rules.asking import reports_of
from ..rules.rule import Rule
from .reading import Reading, read
from .source_places import SourcePlaces

ReportedThere = Callable[[str, str, Span], bool]
"""Whether a rule reports a place of another module when that module itself is checked."""


def diagnose(
    text: str,
    modules: Sequence[ReadModule],
    settings: Settings,
    rules: Iterable[type[Rule]],
    reported_there: ReportedThere,
) -> list[Finding]:
    """All findings of these rules about the first of the modules, in order of place."""
    reading = read(modules, settings)
    editor = Editor(text, reading.positions)
    findings: dict[tuple[str, Span], Finding] = {}
    for rule, report, argument in argued(rules, reading):
        if holds(argument) or not rule.on_by_default:
            finding = _finding(rule, report, reading.places, editor, reported_there)
            if finding is not None:
                findings.setdefault((rule.code, finding.span), finding)
    return sorted(findings.values(), key=lambda f: (f.span, f.code))


def argued(
    rules: Iterable[type[Rule]], reading: Reading
) -> Iterator[tuple[type[Rule], Report, Argument]]:
    """What rules would report, each with its argument: it is said only if that consists of yes."""
    for rule in rules:
        for report in reports_of(rule, reading.analysis, reading.places.line):
            yield rule, report, reading.arguments.of(rule.asks, report.events)


def _finding(
    rule: type[Rule],
    report: Report,
    places: SourcePlaces,
    editor: Editor,
    reported_there: ReportedThere,
) -> Finding | None:
    """The finding of a report; None if it belongs to another file."""
    place = report.place or report.event.site
    origin = places.origin(place)
    message, fix = report.message, None
    related = [places.related(event, text) for event, text in report.related]
    if origin is None:
        fix = editor.fix(report.plan) if report.plan is not None else None
    elif reported_there(origin[0], rule.code, origin[1]):
        return None
    else:
        message = f"{places.named(place)}, run from here: {message}"
        related.append(places.related(report.event, "this is what it leads to"))
    related.sort(key=lambda item: (item.path is not None, item.path or "", item.span))
    return Finding(rule.code, rule.name, message, places.span(place), tuple(related), fix)
