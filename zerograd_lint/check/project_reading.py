"""How much of its project is read with a file: nothing, or what its findings can depend on."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from ..config.settings import Settings
from ..prefilter import Selection, relevant_part
from ..prefilter.choice import fulfilled
from ..prefilter.outline import Outline
from ..prefilter.units import Unit
from ..project.finder import is_in_project
from ..project.needed_modules import NeededModules, ReadModule
from ..rules.registry import needs_of
from ..rules.rule import Rule
from ..vocabulary.calls import Effect
from .gate import can_train

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .reading import Reading


class ProjectUse(NamedTuple):
    """What a file takes from its project."""

    read: list[tuple[str, int]]
    """The modules that are read with it, each with the number of lines that matter."""
    looked_into: list[str]
    """Others that were opened, and in which nothing is read."""
    outside: list[str]
    """What it imports from elsewhere."""


class FileInProject:
    """One file, and the modules of its project that some rules may need."""

    def __init__(
        self,
        outline: Outline,
        filename: str,
        settings: Settings,
        rules: list[type[Rule]],
        *,
        with_turns: bool = False,
    ) -> None:
        """`with_turns`: plain turns are read as well, though no rule could report them."""
        self._outline = outline
        self._filename = filename
        self._settings = settings
        self._needs = needs_of(rules)
        self._own_effects = Effect.NOTHING
        """What the file's own code could do, if other modules are read with it."""
        if with_turns and self._needs is not None:
            self._needs = frozenset(need & ~Effect.IRREGULAR for need in self._needs)

    def read(self) -> tuple[Reading | None, dict[str, str]]:
        """The file with what it needs of others, None if no rule can report anything.

        With it comes every path that was looked for, with a digest of what was there.
        """
        needed = self._needed
        modules = self.modules()
        if self._own is None and not self._may_report(modules):
            modules = []  # what lets a rule report something is beyond the bounds of reading
        return self._read(modules), needed.dependencies if needed is not None else {}

    def modules(self) -> list[ReadModule]:
        """The part of the file that matters and what it needs of other modules."""
        needed = self._needed
        if needed is None or not needed.imports_any:
            return self._alone()
        selection = self._with_imported(needed)
        return needed.modules(selection.kept, selection.part) if selection else []

    def project_use(self) -> ProjectUse | None:
        """Which modules have a part in the answer; None if no project is read."""
        if self._needed is None:
            return None
        read = [(module.name, len(module.part.line_numbers)) for module in self.modules()[1:]]
        names = {name for name, _ in read}
        others = [name for name in self._needed.looked_into if name not in names]
        return ProjectUse(read, others, self._needed.outside)

    @cached_property
    def _needed(self) -> NeededModules | None:
        """The project; None if there is none, or it is not to be read."""
        settings = self._settings
        if settings.project and self._outline.is_valid and is_in_project(self._filename):
            return NeededModules(self._filename, self._outline, settings)
        return None

    @cached_property
    def _own(self) -> Selection | None:
        """What matters of the file by itself: nothing if only its project lets it pass the gate."""
        settings = self._settings
        if self._needed is not None and not can_train(self._outline.text, settings.gate_names):
            return None
        return relevant_part(self._outline, settings, self._needs)

    def _may_report(self, modules: list[ReadModule]) -> bool:
        """Whether what is read, all of it together, lets a rule report anything."""
        effects = self._own_effects | Effect.IRREGULAR
        for module in modules:
            effects |= module.effects
        return self._needs is None or fulfilled(self._needs, effects)

    def _with_imported(self, needed: NeededModules) -> Selection | None:
        # First by itself: what imports add to the effects of its units stays with them.
        own = self._own
        if not needed.act:
            return own
        acting: set[Unit] = set()

        def imported(unit: Unit) -> Effect:
            if unit.effects:
                acting.add(unit)
                self._own_effects |= unit.effects
            return needed.effects(unit)

        selection = relevant_part(self._outline, self._settings, self._needs, imported)
        if selection is None or own is not None or self._needs is None:
            return selection
        return selection if needed.add_findings(self._needs, acting) else None

    def _alone(self) -> list[ReadModule]:
        return [ReadModule("", self._filename, self._own.part, {})] if self._own else []

    def _read(self, modules: list[ReadModule]) -> Reading | None:
        if not modules:
            return None
        # Loading libcst takes longer than checking most files.
        from ..syntax.parse import parse
        from .reading import Reading

        if self._outline.broken_part is not None:
            parse(self._outline.broken_part)
        return Reading(modules, self._settings)
