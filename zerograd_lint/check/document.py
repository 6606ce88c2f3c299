"""The kinds of file that hold Python, with one interface: check, fix, and turn into bytes again.

What checks and what fixes is imported on the first call: findings from the cache need neither.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..config.settings import Settings
from ..files import noqa, notebook, source
from ..files.kinds import DOCUMENTS, MARKDOWN, NOTEBOOK, WITH_DOCSTRINGS
from ..files.notebook_json import Cell, source_lines
from ..finding import Finding, SourceError
from .gate import can_train
from .project_gate import may_run_training
from .result import Place, Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..files.code_block import Block
    from ..fixing.apply import AppliedFixes


class PythonDocument:
    """A module: its text is the file. Its bytes must have passed the gate."""

    def __init__(self, data: bytes, path: str, settings: Settings) -> None:
        self.decoded = source.decode(data)
        self.text = self.decoded.text
        self.path = path
        self.settings = settings
        self.cells: tuple[tuple[int, int], ...] = ()
        self.problems: list[Problem] = []
        self.dependencies: dict[str, str] = {}
        """The other files that the last check's findings follow from, as `Checked` has them."""
        self.skipped: list[Problem] = []
        """Parts that hold the blanks of an exercise."""

    def check(self, text: str) -> list[Finding]:
        """The findings in a version of the text, less those that comments in it silence."""
        from .python_text import check_python_text

        checked = check_python_text(text, self.path, self.settings)
        self.dependencies = checked.dependencies
        found = checked.findings
        kept = noqa.unsilenced(text, found)
        if self.settings.unused_noqa and not noqa.skips_file(text):
            from ..files.unused_noqa import unused_comments
            from ..rules.registry import enabled_rules

            enabled = {rule.code for rule in enabled_rules(self.settings)}
            kept = sorted(
                [*kept, *unused_comments(text, found, enabled)], key=lambda each: each.span
            )
        return kept

    def apply(self, text: str, findings: Sequence[Finding], *, unsafe: bool) -> AppliedFixes:
        """A version of the text with fixes applied."""
        from ..fixing.apply import apply

        return apply(text, findings, unsafe=unsafe)

    def file_text(self, text: str) -> str:
        """The whole file as text, if the checked text were this one."""
        return text

    def to_bytes(self, text: str) -> bytes:
        """The whole file in its own encoding and with its own line ends."""
        return source.encode(self.decoded, self.file_text(text))

    def file_lines(self, text: str) -> dict[int, tuple[int, ...]]:
        """By cell, the line of the file on which each of its lines stands."""
        return {}

    def parts(self, text: str) -> dict[int, str]:
        """What a diff compares: cells by number, or the whole file under 0."""
        return {0: text}


class NotebookDocument(PythonDocument):
    """A notebook: its text is all code cells joined, the file is JSON."""

    def __init__(self, data: bytes, path: str, settings: Settings) -> None:
        super().__init__(data, path, settings)
        self._notebook = notebook.parse(self.decoded.text)
        self.text = self._notebook.text
        self.cells = notebook.cell_starts(self.text)
        self.problems = [_flaw(cell, error, error.message) for cell, error in self._notebook.broken]
        self.skipped = [
            _flaw(cell, error, "skipped: the cell has blanks to fill in")
            for cell, error in self._notebook.unfinished
        ]

    def check(self, text: str) -> list[Finding]:
        # The file passed the gate as JSON, with its prose and its outputs.
        if not can_train(text, self.settings.gate_names) and not may_run_training(
            self.path, text, self.settings
        ):
            return []
        cells = notebook.cell_starts(text)
        return [self._by_cells(finding, text, cells) for finding in super().check(text)]

    def _by_cells(self, finding: Finding, text: str, cells: tuple[tuple[int, int], ...]) -> Finding:
        """The finding in the terms of cells, without a fix that would cross their borders."""

        def worded(message: str) -> str:
            return notebook.by_cells(message, finding.line, cells)

        fix = finding.fix
        if fix is not None:
            fix = replace(fix, message=worded(fix.message))
            try:
                self.apply(text, [finding], unsafe=True)
            except SourceError:
                fix = None
        return replace(finding, message=worded(finding.message), fix=fix)

    def apply(self, text: str, findings: Sequence[Finding], *, unsafe: bool) -> AppliedFixes:
        applied = super().apply(text, findings, unsafe=unsafe)
        self.file_text(applied.text)  # which fails if a fix crosses the border between two cells
        return applied

    def file_text(self, text: str) -> str:
        return self._notebook.with_sources(self._notebook.cell_sources(text))

    def parts(self, text: str) -> dict[int, str]:
        return self._notebook.cell_sources(text)

    def file_lines(self, text: str) -> dict[int, tuple[int, ...]]:
        return source_lines(self.file_text(text))


def _flaw(cell: Cell, error: SourceError, message: str) -> Problem:
    return Problem(message, Place(cell.number, error.line, error.column), cell.source)


class ProseDocument(PythonDocument):
    """Prose with blocks of Python in it: its text is the file."""

    def __init__(self, data: bytes, path: str, settings: Settings, kind: str) -> None:
        super().__init__(data, path, settings)
        self._kind = kind

    def check(self, text: str) -> list[Finding]:
        from . import code_blocks

        first_line = _import_of_torch(text)
        return code_blocks.check(self._blocks(text), self.path, self.settings, first_line)

    def apply(self, text: str, findings: Sequence[Finding], *, unsafe: bool) -> AppliedFixes:
        from . import code_blocks

        return code_blocks.apply(text, self._blocks(text), findings, unsafe=unsafe)

    def _blocks(self, text: str) -> list[Block]:
        from ..files import markdown, restructured_text

        syntax = markdown if self._kind == MARKDOWN else restructured_text
        return list(syntax.python_blocks(text))


class DocstringsDocument(PythonDocument):
    """A module, and the examples in its docstrings; those are reported, but not fixed."""

    def check(self, text: str) -> list[Finding]:
        from ..files.docstrings import example_blocks
        from . import code_blocks

        found = super().check(text)
        if noqa.skips_file(text):
            return found
        first_line = _import_of_torch(text)
        for blocks in example_blocks(text):
            examples = code_blocks.check(blocks, self.path, self.settings, first_line)
            found += [replace(finding, fix=None) for finding in examples]
        return sorted(found, key=lambda finding: finding.span)


def _import_of_torch(text: str) -> str:
    return "import torch" if "torch" in text else ""


def open_document(kind: str, data: bytes, path: str, settings: Settings) -> PythonDocument:
    """Decode a file's content; `SourceError` if that cannot be done."""
    if kind == NOTEBOOK:
        return NotebookDocument(data, path, settings)
    if kind in DOCUMENTS:
        return ProseDocument(data, path, settings, kind)
    if kind == WITH_DOCSTRINGS:
        return DocstringsDocument(data, path, settings)
    return PythonDocument(data, path, settings)
