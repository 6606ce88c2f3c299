"""From an excerpt of a file to drafts of findings: parse, lower, analyse, ask the rules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..config.settings import Settings
from ..events.event import Event
from ..events.lowering.module import LoweredModule, lower_module
from ..finding import Finding, Related, Span
from ..fixing.edits import Editor
from ..fixing.plan import Report
from ..ledger.analysis import analyse
from ..ledger.file_facts import FileFacts
from ..prefilter.excerpt import Excerpt
from ..rules.rule import Rule
from ..syntax.parse import parse
from ..syntax.positions import Positions
from .draft import Draft, Way


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
    module = parse(part)
    analysis = analyse(_facts(lower_module(module, settings)))
    positions = Positions(module, part.line_numbers)
    editor = Editor(text, positions)

    def line(event: Event) -> int:
        return positions.line(event.site.node)

    drafts: dict[tuple[Span, str], Draft] = {}
    for rule in rules:
        for report in rule().check(analysis, line):
            draft = _draft(rule, report, positions, editor)
            drafts.setdefault((draft.finding.span, rule.code), draft)
    in_order = [drafts[place] for place in sorted(drafts)]
    return Diagnosis(in_order, len(part.text) + analysis.steps)


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


def _draft(rule: type[Rule], report: Report, positions: Positions, editor: Editor) -> Draft:
    places = [(positions.span(event.site.node), message) for event, message in report.related]
    related = tuple(Related(span, message) for span, message in sorted(places, key=lambda p: p[0]))
    place = report.place or report.event.site
    finding = Finding(rule.code, rule.name, report.message, positions.span(place.node), related)
    ways = tuple(Way(plan.advice, editor.fix(plan)) for plan in report.plans)
    return Draft(finding, ways, report.advice)
