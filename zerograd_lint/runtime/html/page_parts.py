"""The building blocks of a report page: cards, badges, numbers and source excerpts."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from datetime import datetime
from html import escape
from pathlib import Path

from ... import __version__
from ..compare.verdicts import CLEAN, CONFIRMED, FAILED, REFUTED
from ..observation import Observation
from ..wording import MEASURES
from .stylesheet import STYLESHEET

_LINES_AROUND = 3
_VERDICT_STYLES = {CONFIRMED: "bug", FAILED: "bug", REFUTED: "right", CLEAN: "right"}


def page(title: str, lead: str, cards: Sequence[str]) -> str:
    """A whole HTML document."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLESHEET}</style></head>\n"
        f'<body><h1>{escape(title)}</h1><p class="lead">{escape(lead)}</p>\n'
        + "\n".join(cards)
        + f"\n<footer>{escape(_origin())}</footer></body></html>\n"
    )


def _origin() -> str:
    """Which version made the page, by which command and when."""
    command = shlex.join(["zerograd-lint", *sys.argv[1:]])
    return f"zerograd-lint {__version__} · {command} · {datetime.now():%Y-%m-%d %H:%M}"


def card(head: str, *parts: str) -> str:
    """A box with a heading."""
    return f'<section class="card"><header>{head}</header>{"".join(parts)}</section>'


def badge(text: str, style: str) -> str:
    """A short text on a coloured ground."""
    return f'<span class="verdict {style}">{escape(text)}</span>'


def verdict_badge(verdict: str) -> str:
    """A verdict as a badge in its colour."""
    return badge(verdict, _VERDICT_STYLES.get(verdict, "unsure"))


def error_numbers(observation: Observation) -> str:
    """How often the bug was seen, how wrong the applied gradients were, and what that means."""
    entries = [("steps affected", f"{observation.steps_affected} of {observation.steps_seen}")]
    if observation.relative_error is not None:
        entries.append(("relative error, mean", f"{observation.relative_error:.3g}"))
    if observation.worst_relative_error is not None:
        entries.append(("worst", f"{observation.worst_relative_error:.3g}"))
    if observation.cosine is not None:
        entries.append(("cosine", f"{observation.cosine:.3f}"))
    if observation.wrong_share is not None:
        entries.append(("wrong share", f"{observation.wrong_share:.0%}"))
    cells = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in entries)
    return f'<dl class="numbers">{cells}</dl>' + (_MEANINGS if len(entries) > 1 else "")


_MEANINGS = (
    "<details><summary>What these numbers mean</summary><dl>"
    + "".join(f"<dt>{name}</dt><dd>{meaning}</dd>" for name, meaning in MEASURES.items())
    + "</dl></details>"
)


def diff_excerpt(lines: Sequence[str]) -> str:
    """A diff whose added and removed lines stand out, also without colour."""
    if not lines:
        return ""
    styles = {"+": "added", "-": "removed"}
    shown = [f'<span class="{styles.get(line[:1], "")}">{escape(line)}</span>' for line in lines]
    return f'<h3>The fix</h3><pre class="diff">{chr(10).join(shown)}</pre>'


def source_excerpt(path: Path, line: int) -> str:
    """The line with its neighbours; nothing if the file cannot be read."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeError):
        return ""
    first = max(1, line - _LINES_AROUND)
    shown = []
    for number in range(first, min(len(lines), line + _LINES_AROUND) + 1):
        text = escape(f"{number:4}  {lines[number - 1]}")
        shown.append(f"<mark>{text}</mark>" if number == line else text)
    return f"<pre>{chr(10).join(shown)}</pre>"
