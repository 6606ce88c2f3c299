"""The units that may act when a function runs or a class is used, and the words they say it in."""

from __future__ import annotations

from functools import cached_property

from ..prefilter.units import Unit
from .asked_words import asked_words


class ActingUnits:
    """Some units of one module, with what those who inherit from them ask of all together."""

    def __init__(self, units: list[Unit]) -> None:
        self.units = units

    @cached_property
    def names(self) -> frozenset[str]:
        """What they are called."""
        return frozenset(unit.name for unit in self.units)

    @cached_property
    def words(self) -> frozenset[str]:
        """All names and attributes in them."""
        return frozenset().union(*(unit.words for unit in self.units))

    @cached_property
    def asked(self) -> frozenset[str]:
        """What they run for what it does, or to be told what to do."""
        return frozenset().union(*(asked_words(unit.node) for unit in self.units))


NONE_ACT = ActingUnits([])
