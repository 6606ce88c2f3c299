"""How much of its project is read with a file: nothing, or what its findings can depend on."""

from __future__ import annotations

from typing import NamedTuple

from ..config.settings import Settings
from ..prefilter import Selection, relevant_part
from ..prefilter.excerpt import Excerpt
from ..prefilter.outline import Outline
from ..project.finder import is_in_project
from ..project.needed_modules import NeededModules, ReadModule
from ..rules.registry import needs_of
from ..rules.rule import Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .reading import Reading


class ProjectReading(NamedTuple):
    """What was read for a file, and what the choice of it depended on."""

    reading: Reading | None
    """None if no rule can report anything."""
    dependencies: dict[str, str]
    """Every path that was looked for, with a digest of what was there; empty if nothing was."""


def read_with_project(
    outline: Outline, filename: str, settings: Settings, rules: list[type[Rule]]
) -> ProjectReading:
    """The file, with what it needs of other modules; `SourceError` if it cannot be parsed.

    Most files that train are right by themselves: no other module is read for those.
    """
    own = relevant_part(outline, settings, needs_of(rules))
    alone = [ReadModule("", filename, own.part, {})] if own else []
    if not _reads_project(outline, filename, settings):
        return ProjectReading(_read(alone, settings), {})
    needed = NeededModules(filename, outline, settings)
    by_itself = None
    if own and not needed.are_used_by(own.kept):
        by_itself = _read(alone, settings)
        if by_itself is not None and by_itself.settles(rules):
            return ProjectReading(None, {})
    modules = _with_others(outline, settings, rules, needed)
    if by_itself is not None and own and _is_only(own.part, modules):
        return ProjectReading(by_itself, needed.dependencies)
    return ProjectReading(_read(modules, settings), needed.dependencies)


def needed_modules(
    outline: Outline, filename: str, settings: Settings, rules: list[type[Rule]]
) -> list[ReadModule]:
    """The part of a file that matters and what it needs of other modules.

    There is none if none of the rules can have a finding in the file.
    """
    if _reads_project(outline, filename, settings):
        return _with_others(outline, settings, rules, NeededModules(filename, outline, settings))
    own = relevant_part(outline, settings, needs_of(rules))
    return [ReadModule("", filename, own.part, {})] if own else []


def _with_others(
    outline: Outline, settings: Settings, rules: list[type[Rule]], needed: NeededModules
) -> list[ReadModule]:
    selection: Selection | None = relevant_part(outline, settings, needs_of(rules), needed.effects)
    return needed.modules(selection.kept, selection.part) if selection else []


def _is_only(part: Excerpt, modules: list[ReadModule]) -> bool:
    """Whether nothing but this part of the file is to be read."""
    return len(modules) == 1 and modules[0].part == part and not modules[0].links


def _reads_project(outline: Outline, filename: str, settings: Settings) -> bool:
    """Whether other modules may be read for a file."""
    return settings.project and outline.is_valid and is_in_project(filename)


def _read(modules: list[ReadModule], settings: Settings) -> Reading | None:
    if not modules:
        return None
    # Loading libcst takes longer than checking most files.
    from .reading import Reading

    return Reading(modules, settings)
