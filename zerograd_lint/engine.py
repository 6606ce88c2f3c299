"""From text to findings: parse, lower, analyse, ask the rules, and find the places."""

from __future__ import annotations

import gc
import re

import libcst as cst

from .edits import Editor
from .events.event import Event, Site
from .events.lower import Lowering
from .events.scopes import build_index
from .finding import Finding, Related, SourceError, Span
from .ledger.analysis import analyse
from .locate import locate
from .outline import relevant_text
from .plan import Report
from .rules.registry import all_rules
from .settings import Settings

_PLACE = re.compile(r"error at (\d+):(\d+)")


def check(text: str, filename: str, settings: Settings) -> list[Finding]:
    """All findings in a file that has passed the gate; `SourceError` where there is no saying."""
    kept = relevant_text(text, settings.own_names)
    if not kept:
        return []
    collecting = gc.isenabled()
    # A syntax tree is large and free of cycles: collecting in the middle only costs time.
    gc.disable()
    try:
        return _check(text, kept, settings)
    except RecursionError:
        raise SourceError("too deeply nested to analyse") from None
    finally:
        if collecting:
            gc.enable()


def _parse(text: str) -> cst.Module:
    try:
        return cst.parse_module(text)
    except cst.ParserSyntaxError as error:
        # The message lists every token that would have fitted, behind the place of the error.
        place = _PLACE.search(error.message)
        if place is None:
            message = error.message.partition("\n")[0]
            raise SourceError(f"cannot parse: {message}", error.editor_line) from None
        line, column = int(place[1]), int(place[2]) + 1
        raise SourceError("cannot parse: invalid syntax", line, column) from None
    except UnicodeError as error:
        raise SourceError(f"cannot parse: {error}") from None


def _check(text: str, kept: str, settings: Settings) -> list[Finding]:
    module = _parse(kept)
    lowering = Lowering(build_index(module), settings)
    functions = lowering.lower()
    analysis = analyse(functions, lowering)
    places = _Places(module, kept, analysis.events)
    findings: dict[tuple[str, Span], Finding] = {}
    editor: Editor | None = None
    for rule in all_rules().values():
        if not settings.enables(rule.code, by_default=rule.on_by_default):
            continue
        for report in rule().check(analysis, places.line):
            editor = editor or Editor(text, places.spans)
            finding = _finding(rule.code, rule.name, report, places, editor)
            findings.setdefault((rule.code, finding.span), finding)
    return sorted(findings.values(), key=lambda f: (f.span, f.code))


class _Places:
    """Lines and spans of events, computed when the first of them is asked for."""

    def __init__(self, module: cst.Module, text: str, events: list[Event]) -> None:
        self._module = module
        self._text = text
        self._events = events
        self._spans: dict[cst.CSTNode, Span] | None = None
        self.faithful = False
        """The tree gives back the very text it was made from, so edits land where they should."""

    @property
    def spans(self) -> dict[cst.CSTNode, Span]:
        if self._spans is None:
            nodes: set[cst.CSTNode] = set()
            for event in self._events:
                outer = (event.closure_start, event.wrapper, event.whole)
                for site in (event.site, *outer, *event.site.branches):
                    if site is not None:
                        nodes.update(_nodes(site))
            self._spans, code = locate(self._module, nodes)
            self.faithful = code == self._text
        return self._spans

    def line(self, event: Event) -> int:
        return self.spans[event.site.node].start.line


def _nodes(site: Site) -> tuple[cst.CSTNode, cst.CSTNode]:
    return site.node, site.statement


def _finding(code: str, name: str, report: Report, places: _Places, editor: Editor) -> Finding:
    spans = places.spans
    related = tuple(
        Related(spans[event.site.node], message)
        for event, message in sorted(report.related, key=lambda pair: spans[pair[0].site.node])
    )
    fix = editor.fix(report.plan) if report.plan is not None and places.faithful else None
    place = report.place or report.event.site
    return Finding(code, name, report.message, spans[place.node], related, fix)
