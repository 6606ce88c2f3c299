"""The texts the client has open, kept in step with its incremental changes.

pygls splits lines at form feeds and other characters that end no line in the protocol, after
which every later change would go to the wrong place; so changes are applied here.
"""

from __future__ import annotations

from lsprotocol import types
from pygls.workspace import TextDocument, Workspace

from .client_columns import ColumnUnit, line_starts


class ClientText(TextDocument):
    """One open text."""

    def _apply_incremental_change(self, change: types.TextDocumentContentChangePartial) -> None:
        source = self.source
        starts = line_starts(source)
        unit = ColumnUnit(self.position_codec.encoding)

        def offset(position: types.Position) -> int:
            if position.line >= len(starts):
                return len(source)
            start = starts[position.line]
            last = position.line + 1 == len(starts)
            line = source[start : None if last else starts[position.line + 1]].rstrip("\r\n")
            return start + unit.from_client(line, position.character)

        start, end = offset(change.range.start), offset(change.range.end)
        self._source = source[:start] + change.text + source[max(start, end) :]


class ClientWorkspace(Workspace):
    """All open texts and notebooks."""

    def _create_text_document(
        self,
        doc_uri: str,
        source: str | None = None,
        version: int | None = None,
        language_id: str | None = None,
    ) -> TextDocument:
        return ClientText(doc_uri, source, version, language_id, position_codec=self.position_codec)
