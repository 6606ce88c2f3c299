"""The three kinds of file that hold Python, behind one face: text, findings and bytes again."""

from __future__ import annotations

from dataclasses import replace

from .. import check_source
from ..config.discovery import MARKDOWN, NOTEBOOK
from ..config.settings import Settings
from ..files import noqa, notebook, source
from ..finding import Finding
from .result import Place, Problem


class PythonDocument:
    """A module: its text is the file."""

    def __init__(self, data: bytes) -> None:
        self.decoded = source.decode(data)
        self.text = self.decoded.text
        self.cells: tuple[tuple[int, int], ...] = ()
        self.problems: list[Problem] = []

    def check(self, text: str, filename: str, settings: Settings) -> list[Finding]:
        """What the rules say about this text, less what comments in it silence."""
        if noqa.skips_file(text):
            return []
        return noqa.unsilenced(text, check_source(text, filename, settings=settings))

    def apply(self, text: str, findings: list[Finding], *, unsafe: bool) -> tuple[str, int]:
        """The text with fixes applied, and how many."""
        from ..fixing import apply

        return apply.apply(text, findings, unsafe=unsafe)

    def file_text(self, text: str) -> str:
        """The whole file as text, if the checked text were this one."""
        return text

    def to_bytes(self, text: str) -> bytes:
        return source.encode(self.decoded, self.file_text(text))

    def parts(self, text: str) -> dict[int, str]:
        """What a diff compares: cells by number, or the whole file under 0."""
        return {0: text}


class NotebookDocument(PythonDocument):
    """A notebook: its text is all code cells joined, the file is JSON."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        self._notebook = notebook.parse(self.decoded.text)
        self.text = self._notebook.text
        self.cells = notebook.cell_starts(self.text)
        self.problems = [
            Problem(error.message, Place(cell.number, error.line, error.column))
            for cell, error in self._notebook.broken
        ]

    def check(self, text: str, filename: str, settings: Settings) -> list[Finding]:
        cells = notebook.cell_starts(text)
        return [
            replace(finding, message=notebook.by_cells(finding.message, finding.line, cells))
            for finding in super().check(text, filename, settings)
        ]

    def file_text(self, text: str) -> str:
        return self._notebook.with_sources(self._notebook.cell_sources(text))

    def parts(self, text: str) -> dict[int, str]:
        return self._notebook.cell_sources(text)


class MarkdownDocument(PythonDocument):
    """A document with fenced Python blocks: its text is the file."""

    def check(self, text: str, filename: str, settings: Settings) -> list[Finding]:
        from ..files import markdown

        return markdown.check(text, filename, settings)

    def apply(self, text: str, findings: list[Finding], *, unsafe: bool) -> tuple[str, int]:
        from ..files import markdown

        return markdown.apply(text, findings, unsafe=unsafe)


def open_document(kind: str, data: bytes) -> PythonDocument:
    """Decode a file's content; `SourceError` if that cannot be done."""
    if kind == NOTEBOOK:
        return NotebookDocument(data)
    return MarkdownDocument(data) if kind == MARKDOWN else PythonDocument(data)
