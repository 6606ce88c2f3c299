"""From the parts of a file and of what it needs to findings: parse, make events, analyse, ask."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ..config.settings import Settings
from ..events.lowering.module import LoweredModule, lower_module
from ..events.scopes.index import ParsedModule
from ..finding import Finding, SourceError, Span
from ..fixing.edits import Editor
from ..fixing.plan import Report
from ..ledger.analysis import analyse
from ..ledger.file_facts import FileFacts
from ..project.needed_modules import ReadModule
from ..rules.rule import Rule
from ..syntax.parse import parse
from ..syntax.positions import Positions
from .source_places import ModulePlaces, SourcePlaces

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
    parsed = _parsed(modules)
    lowered = lower_module(parsed, settings)
    analysis = analyse(_facts(lowered))
    positions = {
        module.name: ModulePlaces(read.path, Positions(module.tree, read.part.line_numbers))
        for module, read in ((m, r) for m in parsed for r in modules if r.name == m.name)
    }
    places = SourcePlaces(positions, lowered)
    editor = Editor(text, positions[""].positions)
    findings: dict[tuple[str, Span], Finding] = {}
    for rule in rules:
        for report in rule().check(analysis, places.line):
            finding = _finding(rule, report, places, editor, reported_there)
            if finding is not None:
                findings.setdefault((rule.code, finding.span), finding)
    return sorted(findings.values(), key=lambda f: (f.span, f.code))


def _parsed(modules: Sequence[ReadModule]) -> list[ParsedModule]:
    """The file itself, and what can be parsed of the others."""
    first, *others = modules
    found = [ParsedModule(first.name, parse(first.part), first.links)]
    for module in others:
        try:
            found.append(ParsedModule(module.name, parse(module.part), module.links))
        except SourceError:
            continue  # it is said when that module is checked
    names = {module.name for module in found}
    return [
        module._replace(links={s: link for s, link in module.links.items() if link[0] in names})
        for module in found
    ]


def _facts(lowered: LoweredModule) -> FileFacts:
    inventory = lowered.resolver.inventory
    return FileFacts(
        functions=lowered.functions,
        own=lowered.own,
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
