"""The modules that are open in the client: files that import them see their unsaved text."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from pygls.workspace import TextDocument

from ..files import source
from ..finding import SourceError
from ..project.library import LIBRARY
from .client_columns import lines_of
from .open_files import encoded, path_of


def module_path(uri: str) -> str:
    """A file's path as the analysis names modules: without links on the way."""
    return os.path.realpath(path_of(uri))


class OpenModules:
    """Finds open texts by their path. Filled by the protocol's thread, asked by the worker."""

    def __init__(self, documents: Callable[[], Mapping[str, TextDocument]]) -> None:
        self._documents = documents
        self._uris: dict[str, str] = {}

    def add(self, uri: str) -> None:
        self._uris[module_path(uri)] = uri

    def discard(self, uri: str) -> None:
        self._uris.pop(module_path(uri), None)

    def content(self, path: str) -> bytes | None:
        """What a file would hold if it were saved now; None if it is not open."""
        uri = self._uris.get(path)
        document = self._documents().get(uri) if uri is not None else None
        return encoded(document.source) if document is not None else None

    def uri(self, path: str) -> str:
        """The address of a file, as the client spells it where it is open."""
        return self._uris.get(path) or Path(path).as_uri()

    def lines(self, path: str) -> list[str]:
        """The lines of a module, open or not; none if it cannot be read."""
        module = LIBRARY.module(path)
        try:
            return lines_of(source.decode(module.data).text) if module is not None else []
        except SourceError:
            return []
