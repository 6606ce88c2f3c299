"""Check Python text that has passed the gate: the step that the command and flake8 share."""

from __future__ import annotations

from ..config.settings import Settings
from ..files.noqa import skips_file
from ..finding import Finding
from . import engine


def check_python_text(text: str, filename: str, settings: Settings) -> list[Finding]:
    """All findings, `# noqa` or not; none if a comment takes the whole file out."""
    return [] if skips_file(text) else engine.check(text, filename, settings)
