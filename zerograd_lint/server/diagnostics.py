"""Findings as the protocol's diagnostics."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types

from ..check.result import UNCHECKED, Problem
from ..finding import Finding, Related
from ..project.library import LIBRARY
from ..rules.registry import all_rules
from . import rule_pages
from .checking import CheckedFile
from .client_columns import lines_of
from .client_features import ClientFeatures
from .open_files import WHOLE, FilePart
from .open_modules import OpenModules

SOURCE = "zerograd-lint"
_FADED = types.DiagnosticTag.Unnecessary
_NOT_SHOWN = ("cannot parse", "internal error")
"""A syntax error is other servers' business while one types, an internal error is for the log."""


class DiagnosticWriter:
    """Writes the diagnostics of one checked file."""

    def __init__(self, checked: CheckedFile, client: ClientFeatures, modules: OpenModules) -> None:
        self._checked = checked
        self._client = client
        self._unit = client.unit
        self._modules = modules
        self._lines: dict[str, list[str]] = {}

    def by_uri(self) -> dict[str, list[types.Diagnostic]]:
        """The diagnostics of every part, the empty ones included."""
        found: dict[str, list[types.Diagnostic]] = {
            part.uri: [] for part in self._checked.file.parts.values()
        }
        for finding in self._checked.result.findings:
            part, _ = self._checked.located(finding.span)
            found[part.uri].append(self.diagnostic(finding))
        for problem in self._checked.result.problems:
            if not problem.message.startswith(_NOT_SHOWN):
                self._add_problem(problem, found)
        return found

    def diagnostic(self, finding: Finding) -> types.Diagnostic:
        """One finding with its links, related lines and what is known about its fix."""
        rule = all_rules()[finding.code]
        address = rule_pages.link(finding.code)
        fix = finding.fix
        return types.Diagnostic(
            range=self.location(finding).range,
            message=finding.message,
            severity=(
                types.DiagnosticSeverity.Warning
                if rule.on_by_default
                else types.DiagnosticSeverity.Information
            ),
            code=finding.code,
            code_description=types.CodeDescription(address) if address else None,
            source=SOURCE,
            tags=[_FADED] if rule.on_dead_code and self._client.fades else None,
            related_information=[
                types.DiagnosticRelatedInformation(self.location(item), item.message)
                for item in finding.related
            ],
            data={
                "name": finding.name,
                "fix": None if fix is None else {"title": fix.message, "safe": fix.safe},
            },
        )

    def location(self, place: Finding | Related) -> types.Location:
        """Where a finding or a related line is, in the part that it lies in or in another file."""
        if isinstance(place, Related) and place.path is not None:
            module = LIBRARY.module(place.path)
            lines = module.outline.lines if module is not None else []
            address = Path(place.path).as_uri()
            return types.Location(address, self._unit.range_of(place.span, lines))
        part, span = self._checked.located(place.span)
        return types.Location(part.uri, self._unit.range_of(span, self._lines_of(part)))

    def _lines_of(self, part: FilePart) -> list[str]:
        if part.uri not in self._lines:
            self._lines[part.uri] = lines_of(part.text)
        return self._lines[part.uri]

    def _add_problem(self, problem: Problem, found: dict[str, list[types.Diagnostic]]) -> None:
        part = self._checked.file.parts.get(problem.place.cell or WHOLE)
        if part is None:
            return
        at = types.Position(problem.place.line - 1, 0)
        found[part.uri].append(
            types.Diagnostic(
                range=types.Range(at, at),
                message=f"not checked: {problem.message}",
                severity=types.DiagnosticSeverity.Information,
                code=UNCHECKED,
                source=SOURCE,
            )
        )
