"""Check Python text that has passed the gate: the step that the command and flake8 share."""

from __future__ import annotations

from ..config.settings import Settings
from ..files.noqa import skips_file
from . import engine
from .engine import Checked


def check_python_text(text: str, filename: str, settings: Settings) -> Checked:
    """All findings, `# noqa` or not; none if a comment takes the whole file out."""
    if skips_file(text):
        return Checked()
    return engine.check_with_dependencies(text, filename, settings)
