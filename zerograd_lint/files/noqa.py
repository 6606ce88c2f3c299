"""Comments that silence: `# noqa: ZG001`, `# flake8: noqa: ZG001`, `# zerograd-lint: skip-file`.

flake8 reads a `# noqa` for the physical line it stands on, and across backslashes and
multi-line strings. Here it covers the whole logical line, so whatever is silent in flake8 is
silent here, and a comment behind the closing bracket of a long call works too.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from ..finding import Finding

NOQA = re.compile(r"# noqa(?::\s?(?P<codes>[A-Z]+\d+(?:[,\s]+[A-Z]+\d+)*))?", re.IGNORECASE)
_FILE_CODES = re.compile(
    r"^\s*# flake8[:=]\s*noqa:\s?(?P<codes>[A-Z]+\d+(?:[,\s]+[A-Z]+\d+)*)\s*$",
    re.MULTILINE | re.IGNORECASE,
)
_SKIP_FILE = re.compile(
    r"^[ \t]*#[ \t]*(?:zerograd-lint:[ \t]*skip-file\b|flake8[:=][ \t]*noqa[ \t]*$)",
    re.MULTILINE | re.IGNORECASE,
)
_INVISIBLE = (tokenize.ENDMARKER, tokenize.INDENT, tokenize.DEDENT)
_BETWEEN = (tokenize.NL, tokenize.COMMENT)


@dataclass(frozen=True, slots=True)
class Extent:
    """The lines that belong together with one line, counted from 1, ends included."""

    first: int
    last: int


def skips_file(text: str) -> bool:
    """Whether a comment on a line of its own takes the whole file out."""
    return ("skip-file" in text or "flake8" in text) and _SKIP_FILE.search(text) is not None


def unsilenced(text: str, findings: list[Finding]) -> list[Finding]:
    """The findings that no `# noqa`, on their logical line or for the whole file, covers."""
    if not findings or "noqa" not in text.lower():
        return findings
    if "flake8" in text.lower():
        everywhere = list(_FILE_CODES.finditer(text))
        findings = [f for f in findings if not any(_covers(m, f.code) for m in everywhere)]
    lines = text.split("\n")
    logical = extents(text, tokenize.NEWLINE)
    kept = []
    for finding in findings:
        extent = logical.get(finding.line, Extent(finding.line, finding.line))
        statement = "\n".join(lines[extent.first - 1 : extent.last])
        if not any(_covers(match, finding.code) for match in NOQA.finditer(statement)):
            kept.append(finding)
    return kept


def _covers(match: re.Match[str], code: str) -> bool:
    codes = match["codes"]
    return codes is None or code.startswith(tuple(re.split(r"[,\s]+", codes.upper())))


def add_comments(text: str, findings: Iterable[Finding]) -> tuple[str, int]:
    """Silence findings with a `# noqa: CODE` where flake8 would see it too; how many were added."""
    physical = extents(text, tokenize.NEWLINE, tokenize.NL)
    codes_at: defaultdict[int, list[str]] = defaultdict(list)
    for finding in findings:
        extent = physical.get(finding.line)
        line = extent.last if extent else finding.line
        if finding.code not in codes_at[line]:
            codes_at[line].append(finding.code)
    lines = text.split("\n")
    for number, codes in codes_at.items():
        lines[number - 1] = _with_comment(lines[number - 1], codes)
    return "\n".join(lines), sum(map(len, codes_at.values()))


def _with_comment(line: str, codes: list[str]) -> str:
    present = NOQA.search(line)
    if present is None or present["codes"] is None:
        return f"{line.rstrip()}  # noqa: {', '.join(codes)}"
    end = present.end("codes")
    return f"{line[:end]}, {', '.join(codes)}{line[end:]}"


def extents(text: str, *ends: int) -> dict[int, Extent]:
    """For every line the run of lines it belongs to, if runs end at these kinds of token."""
    extents: dict[int, Extent] = {}
    first = last = 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type in _INVISIBLE:
                continue
            if first == 0 and token.type in _BETWEEN and tokenize.NL not in ends:
                continue  # a blank line or comment between two statements belongs to neither
            first = first or token.start[0]
            last = max(last, token.end[0])
            if token.type in ends:
                extents.update(dict.fromkeys(range(first, last + 1), Extent(first, last)))
                first = last = 0
    except (tokenize.TokenError, SyntaxError):
        return extents
    return extents
