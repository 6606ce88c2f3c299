"""What the client can do, as it says when it starts the conversation."""

from __future__ import annotations

from lsprotocol import types

from .client_columns import ColumnUnit


class ClientFeatures:
    """Answers questions about the client; what it does not mention it cannot do."""

    def __init__(self, capabilities: types.ClientCapabilities, unit: ColumnUnit) -> None:
        self._capabilities = capabilities
        self.unit = unit
        """What it counts columns in."""

    @property
    def pulls(self) -> bool:
        """Whether it asks for diagnostics; what is pushed as well would show twice."""
        return self._find("text_document.diagnostic") is not None

    @property
    def refreshes_diagnostics(self) -> bool:
        return self.pulls and bool(self._find("workspace.diagnostics.refresh_support"))

    @property
    def refreshes_lenses(self) -> bool:
        return bool(self._find("workspace.code_lens.refresh_support"))

    @property
    def fades(self) -> bool:
        """Whether it shows code that has no effect in another way."""
        supported = self._find("text_document.publish_diagnostics.tag_support.value_set")
        pulled = self._find("text_document.diagnostic.tag_support.value_set")
        return types.DiagnosticTag.Unnecessary in [*(supported or ()), *(pulled or ())]

    @property
    def takes_versions(self) -> bool:
        """Whether it takes edits of documents with their version."""
        return bool(self._find("workspace.workspace_edit.document_changes"))

    @property
    def asks_for_edits_later(self) -> bool:
        return "edit" in (self._find("text_document.code_action.resolve_support.properties") or ())

    @property
    def shows_documents(self) -> bool:
        return bool(self._find("window.show_document.support"))

    @property
    def watches_files(self) -> bool:
        return bool(self._find("workspace.did_change_watched_files.dynamic_registration"))

    @property
    def has_settings(self) -> bool:
        """Whether it can be asked for its settings."""
        return bool(self._find("workspace.configuration"))

    def _find(self, path: str) -> types.LSPAny:
        """What stands at the end of a path of names; None where the path breaks off."""
        value: types.LSPAny = self._capabilities
        for name in path.split("."):
            value = getattr(value, name, None)
        return value
