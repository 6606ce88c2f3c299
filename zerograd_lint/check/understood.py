"""What follows from the texts of modules: their events, and the states of what these act on."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from ..config.settings import Settings
from ..events.lowering.module import lower_module
from ..events.scopes.index import ParsedModule
from ..finding import SourceError
from ..ledger.analysis import Analysis, analyse
from ..ledger.file_facts import FileFacts
from ..project.needed_modules import ReadModule
from ..syntax.parse import parse
from ..syntax.parsed_before import PARSED
from ..syntax.positions import NodePlaces


class Understood:
    """All that follows from the texts of modules, whatever the numbers of their lines."""

    def __init__(self, modules: Sequence[ReadModule], settings: Settings) -> None:
        parsed = _parsed(modules)
        self.lowered = lower_module(parsed, settings)
        self.nodes = {module.name: NodePlaces(module.tree) for module in parsed}
        """By name of a module."""

    def __del__(self) -> None:
        if hasattr(self, "lowered"):
            self.lowered.take_apart()

    @cached_property
    def analysis(self) -> Analysis:
        return analyse(self.facts)

    @cached_property
    def facts(self) -> FileFacts:
        resolver = self.lowered.resolver
        inventory = resolver.inventory
        return FileFacts(
            functions=self.lowered.functions,
            own=self.lowered.own,
            covers=resolver.coverage.of,
            thing=inventory.thing,
            assigned=inventory.assigned.keys(),
            value_origins=resolver.provenance,
            deferred_zeros=self.lowered.deferred_zeros,
            private=resolver.privacy.of,
            runs_per_batch=resolver.run_per_batch.of,
            identity=resolver.identity.of,
            is_frozen=resolver.freezing.is_frozen,
            may_be_alias=resolver.aliases.is_possible,
            may_be_one=resolver.aliases.may_be_one,
            stands_alone=resolver.aliases.stands_alone,
            made_apart=resolver.made_apart.are,
            scales_always=resolver.scalers_on.are_always,
            scaler_switches=resolver.scalers_on.switches,
            handed_out=self.lowered.handed_out,
            run_unnamed=self.lowered.run_unnamed,
        )


def _parsed(modules: Sequence[ReadModule]) -> list[ParsedModule]:
    """The file itself, and what can be parsed of the others."""
    first, *others = modules
    found = [ParsedModule(first.name, parse(first.part), first.links, first.part.acting)]
    texts = {first.part.text}
    for module in others:
        # Two modules of the same text must not share a tree: nodes tell them apart.
        tree_of = parse if module.part.text in texts else PARSED.tree
        texts.add(module.part.text)
        try:
            tree = tree_of(module.part)
        except SourceError:
            continue  # it is said when that module is checked
        found.append(ParsedModule(module.name, tree, module.links, module.part.acting))
    names = {module.name for module in found}
    return [
        module._replace(links={s: link for s, link in module.links.items() if link[0] in names})
        for module in found
    ]
