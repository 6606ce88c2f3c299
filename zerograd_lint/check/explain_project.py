"""Which other modules a file's findings follow from."""

from __future__ import annotations

from ..config.settings import Settings
from ..prefilter.outline import Outline
from ..rules.registry import enabled_rules
from ..syntax import limits
from .project_reading import FileInProject, ProjectUse


def explain_project(text: str, filename: str, settings: Settings) -> ProjectUse | None:
    """What is read of a file's project when it is checked; None if it has none, or may not be."""
    limits.refuse_size(text)
    return FileInProject(Outline(text), filename, settings, enabled_rules(settings)).project_use()
