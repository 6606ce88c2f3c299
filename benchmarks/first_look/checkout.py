"""The projects of a group on disk: brought there once, without running anything of theirs."""

from __future__ import annotations

import shutil
from pathlib import Path

from .. import clones
from ..wild.download import unpacked
from .groups import Project, Repository


def checked_out(project: Project, folder: Path, repositories: Path | None) -> Path:
    """The folder of a project below the group's own; OSError, ValueError or CloneError if not."""
    if isinstance(project, Repository):
        return _repository(project, folder, repositories or folder / "clones")
    return unpacked(project, folder)


def _repository(repository: Repository, folder: Path, repositories: Path) -> Path:
    target = folder / "src" / repository.folder
    if target.is_dir():
        return target
    git = clones.find_or_clone(repository.name, repositories)
    partial = target.with_name(target.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    clones.export(git, repository.commit, partial)
    partial.rename(target)
    return target
