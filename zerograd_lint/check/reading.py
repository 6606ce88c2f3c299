"""Read an excerpt of a file: parse it, turn it into events, analyse these."""

from __future__ import annotations

from dataclasses import dataclass

from ..config.settings import Settings
from ..events.event import Event
from ..events.lowering.module import LoweredModule, lower_module
from ..ledger.analysis import Analysis, analyse
from ..ledger.arguments import Arguments
from ..ledger.file_facts import FileFacts
from ..prefilter.excerpt import Excerpt
from ..syntax.parse import parse
from ..syntax.positions import Positions


@dataclass(frozen=True, slots=True)
class Reading:
    """All that rules are asked about, and where it stands in the file."""

    analysis: Analysis
    arguments: Arguments
    positions: Positions

    def line(self, event: Event) -> int:
        """The line of the file on which an event stands."""
        return self.positions.line(event.site.node)


def read(part: Excerpt, settings: Settings) -> Reading:
    """Read the part of a file that can matter."""
    module = parse(part)
    facts = _facts(lower_module(module, settings))
    analysis = analyse(facts)
    positions = Positions(module, part.line_numbers)

    def line(event: Event) -> int:
        return positions.line(event.site.node)

    return Reading(analysis, Arguments(analysis, facts.identity, line), positions)


def _facts(lowered: LoweredModule) -> FileFacts:
    inventory = lowered.resolver.inventory
    return FileFacts(
        functions=lowered.functions,
        covers=inventory.covers,
        thing=inventory.thing,
        assigned=inventory.assigned.keys(),
        value_origins=lowered.resolver.provenance,
        deferred_zeros=lowered.deferred_zeros,
        private=lowered.resolver.privacy.of,
        identity=lowered.resolver.identity.of,
        handed_out=lowered.handed_out,
    )
