"""What the client has open, as the content of a file: a text, or all cells of a notebook."""

from __future__ import annotations

import io
import json
import tokenize
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from lsprotocol import types
from pygls.uris import to_fs_path, urlparse
from pygls.workspace import TextDocument, Workspace

from ..files.kinds import MARKDOWN, NOTEBOOK, PYTHON, kind_of

WHOLE = 0
"""The number of the only part of a file that is no notebook."""
_KIND_BY_LANGUAGE = {
    "python": PYTHON,
    "markdown": MARKDOWN,
    "mdx": MARKDOWN,
    "quarto": MARKDOWN,
    "rmd": MARKDOWN,
}


@dataclass(frozen=True, slots=True)
class FilePart:
    """A text as the client has it: a whole file, or one cell."""

    uri: str
    version: int | None
    text: str


@dataclass(frozen=True, slots=True)
class OpenFile:
    """A file as it would be if it were saved now."""

    uri: str
    path: str
    kind: str
    data: bytes
    parts: Mapping[int, FilePart]
    """Cells by their number, counted as they are in a notebook's file; or the whole file."""


def open_text(document: TextDocument) -> OpenFile | None:
    """A text document; None if it holds nothing that could be checked."""
    path = path_of(document.uri)
    kind = _KIND_BY_LANGUAGE.get(document.language_id or "") or kind_of(path)
    if kind == NOTEBOOK:  # as JSON text, in which no finding has a place
        return None
    text = document.source
    part = FilePart(document.uri, document.version, text)
    return OpenFile(document.uri, path, kind, encoded(text), {WHOLE: part})


def open_notebook(notebook: types.NotebookDocument, workspace: Workspace) -> OpenFile:
    """A notebook document, written as the JSON that it would be saved as."""
    parts: dict[int, FilePart] = {}
    cells: list[dict[str, str]] = []
    for number, cell in enumerate(notebook.cells, 1):
        text = workspace.text_documents.get(unquote(cell.document))
        is_code = cell.kind == types.NotebookCellKind.Code
        if is_code and text is not None and text.language_id == "python":
            parts[number] = FilePart(text.uri, text.version, text.source)
            cells.append({"cell_type": "code", "source": text.source})
        else:
            cells.append({"cell_type": "markdown", "source": ""})
    data = json.dumps({"cells": cells}).encode()
    return OpenFile(notebook.uri, path_of(notebook.uri), NOTEBOOK, data, parts)


def path_of(uri: str) -> str:
    """The file's path; for a text that is not saved anywhere, its name in the current folder."""
    scheme, _, path, *_ = urlparse(uri)
    if scheme == "file":
        return to_fs_path(uri) or path
    return str(Path.cwd() / (Path(path).name or "untitled"))


def encoded(text: str) -> bytes:
    """The bytes of a text in the encoding that it declares; characters keep their columns."""
    data = text.encode("utf-8", "replace")
    if "coding" not in text[:1000]:
        return data
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return text.encode(encoding, "replace")
    except (SyntaxError, LookupError):
        return data
