"""Read a file with what it needs of other modules: parse, turn into events, analyse these."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from ..argument import Argument
from ..config.settings import Settings
from ..events.event import Deposit, Escape, HandOver
from ..events.lowering.module import LoweredModule, lower_module
from ..events.scopes.index import ParsedModule
from ..finding import SourceError
from ..fixing.plan import Report
from ..flow.invocations import Invocations
from ..ledger.analysis import Analysis, analyse
from ..ledger.arguments import Arguments
from ..ledger.entries import events_of
from ..ledger.file_facts import FileFacts
from ..project.needed_modules import ReadModule
from ..rules.asking import reports_of
from ..rules.rule import Rule
from ..syntax.parse import parse
from ..syntax.parsed_before import PARSED
from ..syntax.positions import Positions
from ..vocabulary.things import Thing
from .source_places import ModulePlaces, SourcePlaces


class Reading:
    """All that rules are asked about, and where it stands, each worked out when asked for.

    The first of the modules is the file that is checked; it must be possible to parse it.
    """

    def __init__(self, modules: Sequence[ReadModule], settings: Settings) -> None:
        self.modules = modules
        parsed = _parsed(modules)
        self._lowered = lower_module(parsed, settings)
        parts = {module.name: module for module in modules}
        positions = {
            module.name: ModulePlaces(
                parts[module.name].path,
                Positions(module.tree, parts[module.name].part.line_numbers),
            )
            for module in parsed
        }
        self.positions = positions[""].positions
        """Those of the file that is checked."""
        self.places = SourcePlaces(positions, self._lowered)

    @cached_property
    def analysis(self) -> Analysis:
        return analyse(self._facts)

    @cached_property
    def arguments(self) -> Arguments:
        return Arguments(self.analysis, self._facts.identity, self.places.line)

    @cached_property
    def _facts(self) -> FileFacts:
        return _facts(self._lowered)

    @cached_property
    def depends_on_others(self) -> bool:
        """Whether code out of view takes part: it is given an owner, or inherited from."""
        functions = self._lowered.functions
        invocations = Invocations(functions)
        events = [event for function in functions for event in events_of(function, invocations)]
        unread = (Escape,) if any(isinstance(e, Deposit) for e in events) else (Escape, HandOver)
        if any(isinstance(event, unread) for event in events):
            return True
        resolver = self._lowered.resolver
        if resolver.inventory.holds_any(Thing.ENGINE):
            return True
        return any(resolver.classes.unread_bases(owner) for owner in resolver.index.classes)

    def argued(self, rules: Iterable[type[Rule]]) -> Iterator[tuple[type[Rule], Report, Argument]]:
        """What rules would report, each with its argument, which may come to a no."""
        for rule in rules:
            for report in reports_of(rule, self.analysis, self.places.line):
                yield rule, report, self.arguments.of(rule.asks, report.events)

    def settles(self, rules: Iterable[type[Rule]]) -> bool:
        """Whether nothing is reported, and nothing out of view could change that.

        Most files that train are right and hand nothing to others: for them no other is read.
        """
        return not self.depends_on_others and not any(self.argued(rules))


def _parsed(modules: Sequence[ReadModule]) -> list[ParsedModule]:
    """The file itself, and what can be parsed of the others."""
    first, *others = modules
    found = [ParsedModule(first.name, PARSED.tree(first.part), first.links)]
    texts = {first.part.text}
    for module in others:
        # Two modules of the same text must not share a tree: nodes tell them apart.
        tree_of = parse if module.part.text in texts else PARSED.tree
        texts.add(module.part.text)
        try:
            found.append(ParsedModule(module.name, tree_of(module.part), module.links))
        except SourceError:
            continue  # it is said when that module is checked
    names = {module.name for module in found}
    return [
        module._replace(links={s: link for s, link in module.links.items() if link[0] in names})
        for module in found
    ]


def _facts(lowered: LoweredModule) -> FileFacts:
    inventory = lowered.resolver.inventory
    return FileFacts(
        functions=lowered.functions,
        own=lowered.own,
        covers=inventory.covers,
        thing=inventory.thing,
        assigned=inventory.assigned.keys(),
        value_origins=lowered.resolver.provenance,
        deferred_zeros=lowered.deferred_zeros,
        private=lowered.resolver.privacy.of,
        identity=lowered.resolver.identity.of,
        may_be_alias=lowered.resolver.aliases.is_possible,
        handed_out=lowered.handed_out,
    )
