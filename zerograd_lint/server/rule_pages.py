"""Rule pages for editors: as Markdown, and as files that a diagnostic's code can link to."""

from __future__ import annotations

import functools
from pathlib import Path

from .. import __version__
from ..config.cache_folder import default_folder
from ..rules.registry import all_rules


@functools.cache
def page(code: str) -> str | None:
    """A rule's documentation as Markdown; None if no rule has this code."""
    rule = all_rules().get(code)
    return rule.documentation() if rule is not None else None


@functools.cache
def link(code: str) -> str | None:
    """The address of a rule's page, written to the cache folder; None if that cannot be done."""
    text, folder = page(code), default_folder()
    if text is None or folder is None:
        return None
    file = Path(folder).absolute() / "rules" / __version__ / f"{code}.md"
    try:
        if not file.is_file() or file.read_text(encoding="utf-8") != text:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    return file.as_uri()
