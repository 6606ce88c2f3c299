"""Read a file with what it needs of other modules, and ask rules about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from ..argument import Argument
from ..config.settings import Settings
from ..fixing.plan import Report
from ..ledger.analysis import Analysis
from ..ledger.arguments import Arguments
from ..project.needed_modules import ReadModule
from ..rules.asking import reports_of
from ..rules.rule import Rule
from ..syntax.positions import Positions
from .recent import Recent
from .source_places import ModulePlaces, SourcePlaces
from .understood import Understood

UNDERSTOOD: Recent[Understood] = Recent(1)
"""The last of them is often asked for again. An editor, in which most changes leave what matters as
it is, keeps some more."""


class Reading:
    """All that rules are asked about, and where it stands.

    The first of the modules is the file that is checked; it must be possible to parse it.
    """

    def __init__(self, modules: Sequence[ReadModule], settings: Settings) -> None:
        self.modules = modules
        texts = tuple(
            (m.name, m.part.text, m.part.acting, tuple(sorted(m.links.items()))) for m in modules
        )
        key = (texts, replace(settings, trust_fixes=False))
        self._understood = UNDERSTOOD.get(key, lambda: Understood(modules, settings))
        parts = {module.name: module for module in modules}
        positions = {
            name: ModulePlaces(parts[name].path, Positions(nodes, parts[name].part.line_numbers))
            for name, nodes in self._understood.nodes.items()
        }
        self.positions = positions[""].positions
        """Those of the file that is checked."""
        self.places = SourcePlaces(positions, self._understood.lowered)

    @property
    def analysis(self) -> Analysis:
        return self._understood.analysis

    @cached_property
    def arguments(self) -> Arguments:
        return Arguments(self.analysis, self._understood.facts.identity, self.places.line)

    def argued(self, rules: Iterable[type[Rule]]) -> Iterator[tuple[type[Rule], Report, Argument]]:
        """What rules would report, each with its argument, which may come to a no."""
        for rule in rules:
            for report in reports_of(rule, self.analysis, self.places.line):
                yield rule, report, self.arguments.of(rule.asks, report.events)
