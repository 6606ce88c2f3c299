"""The edits that turn a text into another, as whole lines."""

from __future__ import annotations

from difflib import SequenceMatcher

from lsprotocol import types

from .checking import CheckedFile, NewTexts
from .client_columns import ColumnUnit, lines_of
from .client_features import ClientFeatures
from .open_files import FilePart


def workspace_edit(
    checked: CheckedFile, new: NewTexts, client: ClientFeatures
) -> types.WorkspaceEdit | None:
    """The edit of all parts that differ; None if none does."""
    edits = {
        number: text_edits(part.text, new[number], client.unit)
        for number, part in checked.file.parts.items()
        if number in new
    }
    changed = [(checked.file.parts[number], part) for number, part in edits.items() if part]
    if not changed:
        return None
    if not client.takes_versions:
        return types.WorkspaceEdit(changes={part.uri: found for part, found in changed})
    return types.WorkspaceEdit(document_changes=[_versioned(*pair) for pair in changed])


def _versioned(part: FilePart, edits: list[types.TextEdit]) -> types.TextDocumentEdit:
    document = types.OptionalVersionedTextDocumentIdentifier(part.uri, part.version)
    return types.TextDocumentEdit(document, list(edits))


def text_edits(old: str, new: str, unit: ColumnUnit) -> list[types.TextEdit]:
    """Edits for the lines that differ; line ends alone are no difference."""
    ending = "\r\n" if "\r\n" in old else "\n"
    before, after = lines_of(old), lines_of(new)
    shorter = min(len(before), len(after))
    head = next((i for i in range(shorter) if before[i] != after[i]), shorter)
    rest = range(1, shorter - head + 1)
    tail = next((i - 1 for i in rest if before[-i] != after[-i]), shorter - head)
    middle = before[head : len(before) - tail], after[head : len(after) - tail]
    edits = []
    for kind, i, j, k, m in SequenceMatcher(None, *middle, autojunk=False).get_opcodes():
        if kind != "equal":
            edits.append(_edit(before, (head + i, head + j), middle[1][k:m], ending, unit))
    return edits


def _edit(
    before: list[str], lines: tuple[int, int], new: list[str], ending: str, unit: ColumnUnit
) -> types.TextEdit:
    """Replace lines, first to last, by new ones; the last line of a text has no end to replace."""
    first, last = lines
    if last < len(before):
        span = types.Range(types.Position(first, 0), types.Position(last, 0))
        return types.TextEdit(span, "".join(line + ending for line in new))
    end = _end_of(before, len(before) - 1, unit)
    if first < last and new:
        return types.TextEdit(types.Range(types.Position(first, 0), end), ending.join(new))
    start = _end_of(before, first - 1, unit) if first else types.Position(0, 0)
    added = "".join(ending + line for line in new)
    return types.TextEdit(types.Range(start, end), added)


def _end_of(lines: list[str], index: int, unit: ColumnUnit) -> types.Position:
    return types.Position(index, unit.to_client(lines[index], len(lines[index])))
