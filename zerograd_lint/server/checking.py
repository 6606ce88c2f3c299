"""Check an open file, and compute what fixes or comments would make of its parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..check.document import PythonDocument, open_document
from ..check.options import CHECK, FIX, RunOptions
from ..check.project_gate import ProjectGate
from ..check.result import FileResult
from ..check.run import check_content
from ..config.discovery import Found
from ..config.project import Config
from ..files import noqa
from ..files.kinds import MARKDOWN
from ..finding import Finding, Position, Span
from .configuration import Configuration, known_findings
from .open_files import WHOLE, FilePart, OpenFile

NewTexts = Mapping[int, str]
"""The texts of a file's parts after a change, by the part's number."""


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """An open file with its findings."""

    file: OpenFile
    config: Config
    result: FileResult

    def located(self, span: Span) -> tuple[FilePart, Span]:
        """The part that a span of the checked text lies in, and the span within that part."""
        start, end = self.result.place(span.start), self.result.place(span.end)
        within = Span(Position(start.line, start.column), Position(end.line, end.column))
        return self.file.parts[start.cell or WHOLE], within


def check(
    file: OpenFile, configuration: Configuration, *, trust_fixes: bool = False
) -> CheckedFile:
    """All findings in a file; none where its configuration excludes it.

    Whether fixes hold takes longer to find out than the findings: they can be trusted at first.
    """
    config = configuration.config_for(file.path)
    if config is None:
        return CheckedFile(file, Config(""), FileResult(file.path, file.kind))
    result = _run(file, config, CHECK, trust_fixes=trust_fixes) or _turned_away(file, config)
    return CheckedFile(file, config, result)


def _turned_away(file: OpenFile, config: Config) -> FileResult:
    """What the gate leads to: no findings, until one of the modules changes that it looked at."""
    considered: list[str] = []
    if file.kind != MARKDOWN and config.flag("project", True):
        considered = ProjectGate().considered_modules(file.path, file.data, config.source_folders())
    return FileResult(file.path, file.kind, dependencies=dict.fromkeys(considered, ""))


def with_fix(checked: CheckedFile, finding: Finding) -> NewTexts:
    """The parts with one finding's fix applied, whether that is safe or not."""
    document = _document(checked, checked.file.data)
    return document.parts(document.apply(document.text, [finding], unsafe=True).text)


def with_all_fixes(checked: CheckedFile, *, unsafe: bool) -> NewTexts:
    """The parts as `zerograd-lint check --fix` would leave them."""
    fixed = _run(checked.file, checked.config, FIX, unsafe=unsafe)
    data = fixed.new_data if fixed is not None else None
    document = _document(checked, checked.file.data if data is None else data)
    return document.parts(document.text)


def with_noqa(checked: CheckedFile, finding: Finding) -> NewTexts:
    """The parts with a comment that silences one finding."""
    document = _document(checked, checked.file.data)
    return document.parts(noqa.add_comments(document.text, [finding])[0])


def _run(
    file: OpenFile, config: Config, mode: str, *, unsafe: bool = False, trust_fixes: bool = False
) -> FileResult | None:
    known = known_findings(config)
    options = RunOptions(mode=mode, unsafe=unsafe, baseline=known, trust_fixes=trust_fixes)
    return check_content(Found(file.path, file.kind, config), file.data, options)


def _document(checked: CheckedFile, data: bytes) -> PythonDocument:
    file = checked.file
    return open_document(file.kind, data, file.path, checked.config.settings())
