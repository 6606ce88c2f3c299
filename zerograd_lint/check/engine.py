"""From text to findings: parse, lower, analyse, ask the rules, and find the places."""

from __future__ import annotations

import gc

from .. import tree
from ..config.settings import Settings
from ..events.event import Event
from ..events.lowering.module import Lowering
from ..events.scopes.index import build_index
from ..finding import Finding, Related, SourceError, Span
from ..fixing.edits import Editor
from ..fixing.plan import Report
from ..ledger.analysis import analyse
from ..prefilter import relevant_tree
from ..rules.registry import all_rules


def check(text: str, filename: str, settings: Settings) -> list[Finding]:
    """All findings in a file that has passed the gate; `SourceError` if it cannot be analysed."""
    collecting = gc.isenabled()
    # A syntax tree is large and free of cycles: collecting in the middle only costs time.
    gc.disable()
    try:
        module = relevant_tree(text, settings)
        return _check(text, module, settings) if module is not None else []
    except RecursionError:
        raise SourceError("too deeply nested to analyse") from None
    finally:
        if collecting:
            gc.enable()


def _check(text: str, module: tree.Module, settings: Settings) -> list[Finding]:
    lowering = Lowering(build_index(module), settings)
    functions = lowering.lower()
    analysis = analyse(functions, lowering)
    findings: dict[tuple[str, Span], Finding] = {}
    editor: Editor | None = None
    for rule in all_rules().values():
        if not settings.enables(rule.code, by_default=rule.on_by_default):
            continue
        for report in rule().check(analysis, _line):
            editor = editor or Editor(text)
            finding = _finding(rule.code, rule.name, report, editor)
            findings.setdefault((rule.code, finding.span), finding)
    return sorted(findings.values(), key=lambda f: (f.span, f.code))


def _line(event: Event) -> int:
    return event.site.node.span.start.line


def _finding(code: str, name: str, report: Report, editor: Editor) -> Finding:
    related = tuple(
        Related(event.site.node.span, message)
        for event, message in sorted(report.related, key=lambda pair: pair[0].site.node.span)
    )
    fix = editor.fix(report.plan) if report.plan is not None else None
    place = report.place or report.event.site
    return Finding(code, name, report.message, place.node.span, related, fix)
