"""From text to findings: what can matter is found first, and only that is analysed."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from ..config.settings import Settings
from ..finding import Finding, SourceError, Span
from ..prefilter import Selection, relevant_part
from ..prefilter.outline import Outline
from ..rules.registry import enabled_rules, needs_of
from ..syntax import limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..project.needed_modules import ReadModule


@dataclass(slots=True)
class Checked:
    """The findings of a file, and the other files that they follow from."""

    findings: list[Finding] = field(default_factory=list)
    dependencies: dict[str, str] = field(default_factory=dict)
    """Every path that was looked for, with a digest of what was there; empty if nothing was."""


def check(text: str, filename: str, settings: Settings) -> list[Finding]:
    """All findings in a file that has passed the gate; `SourceError` if it cannot be analysed."""
    return check_with_dependencies(text, filename, settings).findings


def check_with_dependencies(text: str, filename: str, settings: Settings) -> Checked:
    """The same, with what the findings depend on."""
    with _no_garbage_collection():
        return _check(text, filename, settings, alone=False)


def _check(text: str, filename: str, settings: Settings, *, alone: bool) -> Checked:
    """`alone` leaves out what other files only come to by way of this one."""
    try:
        limits.refuse_size(text)
        rules = enabled_rules(settings)
        outline = Outline(text)
        checked = Checked()
        selection, modules = _select(outline, filename, settings, checked)
        if selection is None:
            return checked
        # Loading libcst takes longer than checking most files.
        from .diagnose import diagnose

        def reported_there(path: str, code: str, span: Span) -> bool:
            return alone or _reports(path, settings, code, span)

        checked.findings = diagnose(text, modules, settings, rules, reported_there)
        return checked
    except RecursionError:
        raise SourceError("too deeply nested to analyse") from None


def _select(
    outline: Outline, filename: str, settings: Settings, checked: Checked
) -> tuple[Selection | None, list[ReadModule]]:
    """The part of the file that matters, and what it needs of other modules."""
    needs = needs_of(enabled_rules(settings))
    if not settings.project or not _is_in_project(filename):
        from ..project.needed_modules import ReadModule

        selection = relevant_part(outline, settings, needs)
        return selection, [ReadModule("", filename, selection.part, {})] if selection else []
    from ..project.needed_modules import NeededModules

    needed = NeededModules(filename, outline, settings)
    selection = relevant_part(outline, settings, needs, needed.effects)
    modules = needed.modules(selection.kept, selection.part) if selection else []
    checked.dependencies = needed.dependencies
    return selection, modules


def _is_in_project(filename: str) -> bool:
    """Whether this is the name of a module in a folder, and not of a text from elsewhere."""
    folder = os.path.dirname(os.path.abspath(filename))
    return filename.endswith((".py", ".pyi", ".ipynb")) and os.path.isdir(folder)


def _reports(path: str, settings: Settings, code: str, span: Span) -> bool:
    """Whether a rule reports a place of another file when that file is checked."""
    from ..project.library import LIBRARY

    module = LIBRARY.module(path)
    if module is None:
        return False
    try:
        checked = _check(module.outline.text, path, settings, alone=True)
    except SourceError:
        return False
    return any(found.code == code and found.span == span for found in checked.findings)


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """A syntax tree is large and free of cycles: collecting in the middle only costs time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
