"""Read a file with what it needs of other modules: parse, turn into events, analyse these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from ..config.settings import Settings
from ..events.event import Deposit, Escape, HandOver
from ..events.lowering.module import LoweredModule, lower_module
from ..events.scopes.index import ParsedModule
from ..finding import SourceError
from ..ledger.analysis import Analysis, analyse
from ..ledger.arguments import Arguments
from ..ledger.file_facts import FileFacts, Identify
from ..project.needed_modules import ReadModule
from ..syntax.parse import parse
from ..syntax.positions import NodePlaces, Positions
from ..vocabulary.things import Thing
from .recent import Recent
from .source_places import ModulePlaces, SourcePlaces


@dataclass(frozen=True, slots=True)
class Reading:
    """All that rules are asked about, and where it stands."""

    analysis: Analysis
    arguments: Arguments
    places: SourcePlaces
    positions: Positions
    """Those of the file that is checked."""
    depends_on_others: bool
    """Code out of view takes part: it is given an owner of gradients, or has a class inherit."""


def read(modules: Sequence[ReadModule], settings: Settings) -> Reading:
    """Read the first of these modules, the file that is checked, and what it needs of the rest."""
    texts = tuple((m.name, m.part.text, tuple(sorted(m.links.items()))) for m in modules)
    key = (texts, replace(settings, trust_fixes=False))
    understood = UNDERSTOOD.get(key, lambda: _understand(modules, settings))
    parts = {module.name: module for module in modules}
    positions = {
        name: ModulePlaces(parts[name].path, Positions(nodes, parts[name].part.line_numbers))
        for name, nodes in understood.nodes.items()
    }
    places = SourcePlaces(positions, understood.lowered)
    arguments = Arguments(understood.analysis, understood.identify, places.line)
    others = understood.depends_on_others
    return Reading(understood.analysis, arguments, places, positions[""].positions, others)


class Understood(NamedTuple):
    """All that follows from the texts of modules, whatever the numbers of their lines."""

    lowered: LoweredModule
    analysis: Analysis
    identify: Identify
    depends_on_others: bool
    nodes: dict[str, NodePlaces]
    """By name of a module."""


UNDERSTOOD: Recent[Understood] = Recent(1)
"""The last of them is often asked for again: by itself first, and then with other modules. An
editor, in which most changes leave what matters as it is, keeps some more."""


def _understand(modules: Sequence[ReadModule], settings: Settings) -> Understood:
    parsed = _parsed(modules)
    lowered = lower_module(parsed, settings)
    facts = _facts(lowered)
    analysis = analyse(facts)
    others = _depends_on_others(analysis, lowered)
    nodes = {module.name: NodePlaces(module.tree) for module in parsed}
    return Understood(lowered, analysis, facts.identity, others, nodes)


def _depends_on_others(analysis: Analysis, lowered: LoweredModule) -> bool:
    events = analysis.events
    unread = (Escape,) if any(isinstance(e, Deposit) for e in events) else (Escape, HandOver)
    resolver = lowered.resolver
    if any(isinstance(event, unread) for event in events):
        return True
    if resolver.inventory.holds_any(Thing.ENGINE):
        return True
    return any(resolver.classes.unread_bases(owner) for owner in resolver.index.classes)


def _parsed(modules: Sequence[ReadModule]) -> list[ParsedModule]:
    """The file itself, and what can be parsed of the others."""
    first, *others = modules
    found = [ParsedModule(first.name, parse(first.part), first.links)]
    for module in others:
        try:
            found.append(ParsedModule(module.name, parse(module.part), module.links))
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
