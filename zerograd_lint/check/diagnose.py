"""From an excerpt of a file to its findings: parse, turn into events, analyse, ask the rules."""

from __future__ import annotations

from collections.abc import Iterable

from ..config.settings import Settings
from ..events.event import Event
from ..events.lowering.module import LoweredModule, lower_module
from ..finding import Finding, Related, Span
from ..fixing.edits import Editor
from ..fixing.plan import Report
from ..ledger.analysis import analyse
from ..ledger.file_facts import FileFacts
from ..prefilter.excerpt import Excerpt
from ..rules.asking import reports_of
from ..rules.rule import Rule
from ..syntax.parse import parse
from ..syntax.positions import Positions


def diagnose(
    text: str, part: Excerpt, settings: Settings, rules: Iterable[type[Rule]]
) -> list[Finding]:
    """All findings of these rules, in order of place."""
    module = parse(part)
    analysis = analyse(_facts(lower_module(module, settings)))
    positions = Positions(module, part.line_numbers)
    editor = Editor(text, positions)

    def line(event: Event) -> int:
        return positions.line(event.site.node)

    findings: dict[tuple[str, Span], Finding] = {}
    for rule in rules:
        for report in reports_of(rule, analysis, line):
            finding = _finding(rule, report, positions, editor)
            findings.setdefault((rule.code, finding.span), finding)
    return sorted(findings.values(), key=lambda f: (f.span, f.code))


def _facts(lowered: LoweredModule) -> FileFacts:
    inventory = lowered.resolver.inventory
    return FileFacts(
        functions=lowered.functions,
        covers=inventory.covers,
        thing=inventory.thing,
        assigned=inventory.assigned.keys(),
        value_origins=lowered.resolver.provenance,
        deferred_zeros=lowered.deferred_zeros,
        unread_classes={
            owner.instance.scope
            for owner in lowered.resolver.index.classes
            if lowered.resolver.classes.has_unread_base(owner)
        },
        handed_out=lowered.handed_out,
    )


def _finding(rule: type[Rule], report: Report, positions: Positions, editor: Editor) -> Finding:
    places = [(positions.span(event.site.node), message) for event, message in report.related]
    related = tuple(Related(span, message) for span, message in sorted(places, key=lambda p: p[0]))
    fix = editor.fix(report.plan) if report.plan is not None else None
    place = report.place or report.event.site
    return Finding(rule.code, rule.name, report.message, positions.span(place.node), related, fix)
