"""Hover: verdict and rule's page over a finding, and the page over a code in a `# noqa`."""

from __future__ import annotations

import re

from lsprotocol import types

from ..finding import Finding
from . import rule_pages
from .checking import CheckedFile
from .client_columns import ColumnUnit, lines_of
from .open_files import FilePart
from .proofs import sentences

_NOQA = re.compile(r"#\s*(?:flake8[:=]\s*)?noqa\s*:", re.IGNORECASE)
_CODE = re.compile(r"\bZG\d{3}\b", re.IGNORECASE)


def hover(
    checked: CheckedFile, uri: str, position: types.Position, unit: ColumnUnit
) -> types.Hover | None:
    """What to show at a position; None if nothing is there."""
    part = next((part for part in checked.file.parts.values() if part.uri == uri), None)
    if part is None:
        return None
    return _over_noqa(part, position, unit) or _over_findings(checked, part, position, unit)


def _over_findings(
    checked: CheckedFile, part: FilePart, position: types.Position, unit: ColumnUnit
) -> types.Hover | None:
    lines = lines_of(part.text)
    at = unit.position_in(lines, position)
    texts: list[str] = []
    around = None
    for finding in checked.result.findings:
        where, span = checked.located(finding.span)
        if where is part and span.start <= at <= span.end:
            around = around or unit.range_of(span, lines)
            texts.append(_about(finding, checked))
    return _shown("\n\n---\n\n".join(texts), around) if texts else None


def _about(finding: Finding, checked: CheckedFile) -> str:
    paragraphs = [f"**{finding.code}** {finding.message}"]
    paragraphs += [sentence for proved, sentence in sentences(checked) if proved is finding]
    return "\n\n".join([*paragraphs, _page(finding.code)])


def _over_noqa(part: FilePart, position: types.Position, unit: ColumnUnit) -> types.Hover | None:
    lines = lines_of(part.text)
    line = lines[position.line] if position.line < len(lines) else ""
    comment = _NOQA.search(line)
    if comment is None:
        return None
    column = unit.from_client(line, position.character)
    for code in _CODE.finditer(line, comment.end()):
        if code.start() <= column <= code.end() and (text := _page(code[0].upper())):
            ends = [types.Position(position.line, unit.to_client(line, end)) for end in code.span()]
            return _shown(text, types.Range(*ends))
    return None


def _page(code: str) -> str:
    return rule_pages.page(code) or ""


def _shown(text: str, around: types.Range | None) -> types.Hover:
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), around)
