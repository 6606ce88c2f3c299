"""The kinds of file that hold Python, with one interface: check, fix, and turn into bytes again.

What checks and what fixes is imported on the first call: findings from the cache need neither.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..config.settings import Settings
from ..files import noqa, notebook, source
from ..files.kinds import MARKDOWN, NOTEBOOK
from ..files.notebook_json import Cell
from ..finding import Finding, SourceError
from .gate import can_train
from .result import Place, Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
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
        self.skipped: list[Problem] = []
        """Parts that hold the blanks of an exercise."""

    def check(self, text: str) -> list[Finding]:
        """The findings in a version of the text, less those that comments in it silence."""
        from .python_text import check_python_text

        return noqa.unsilenced(text, check_python_text(text, self.path, self.settings))

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
        if not can_train(text, self.settings.gate_names):
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


def _flaw(cell: Cell, error: SourceError, message: str) -> Problem:
    return Problem(message, Place(cell.number, error.line, error.column), cell.source)


class MarkdownDocument(PythonDocument):
    """A document with fenced Python blocks: its text is the file."""

    def check(self, text: str) -> list[Finding]:
        from . import markdown_blocks

        return markdown_blocks.check(text, self.path, self.settings)

    def apply(self, text: str, findings: Sequence[Finding], *, unsafe: bool) -> AppliedFixes:
        from . import markdown_blocks

        return markdown_blocks.apply(text, findings, unsafe=unsafe)


def open_document(kind: str, data: bytes, path: str, settings: Settings) -> PythonDocument:
    """Decode a file's content; `SourceError` if that cannot be done."""
    if kind == NOTEBOOK:
        return NotebookDocument(data, path, settings)
    if kind == MARKDOWN:
        return MarkdownDocument(data, path, settings)
    return PythonDocument(data, path, settings)
