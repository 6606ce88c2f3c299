"""What the ledger needs of a file: its program, and what is known of its objects."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from typing import Protocol

from ..argument import Answer
from ..events.event import Zero
from ..program import Function, Ref
from ..vocabulary.things import Thing
from .loss_origins import ValueOrigins


class Identify(Protocol):
    """Whether an object surely is an optimizer, or a loss scaler.

    Of several that the settings of a run choose between one is enough, or with `always` each.
    """

    def __call__(self, ref: Ref, thing: Thing, *, always: bool = False) -> Answer:
        """The answer, with its reason."""


@dataclass(frozen=True, slots=True)
class FileFacts:
    """One file as the front end has read it."""

    functions: Sequence[Function]
    own: Set[Function]
    """The functions of the file itself, where a run may begin."""
    covers: Callable[[Ref], tuple[Ref, ...] | None]
    """What each optimizer was built over; None where that is not known."""
    thing: Callable[[Ref], Thing | None]
    """What sort of object this is."""
    assigned: Set[Ref]
    """All names and attributes the file gives a value."""
    value_origins: ValueOrigins
    deferred_zeros: Sequence[Zero]
    """Zeroings handed around as values, which run at an unknown time."""
    private: Callable[[Ref], Answer]
    """Whether a class keeps an object to itself, from one call of its methods to the next."""
    runs_per_batch: Callable[[Function, Ref], bool]
    """Whether a library calls a function for every batch with an owner, and clears nothing."""
    identity: Identify
    is_frozen: Callable[[Ref], bool]
    """Whether no backward fills an object, since it is frozen for the whole run."""
    may_be_alias: Callable[[Ref], bool]
    """Whether an attribute may be another name of what its object was given."""
    may_be_one: Callable[[Ref, Ref], bool]
    """Whether two attributes may hold one object, which was given to the instance."""
    stands_alone: Callable[[Ref], bool]
    """Whether `may_be_one` is sure not to hold of an object and any of another root."""
    made_apart: Callable[[Ref, Ref], bool]
    """Whether constructors in view make both of two objects, and no network goes into both."""
    scales_always: Callable[[Ref], bool]
    """Whether a loss scaler is on whatever the settings of a run turn off."""
    scaler_switches: Callable[[Ref], frozenset[tuple[str, bool]]]
    """The words of what says whether a loss scaler is on, with the answer that turns it on."""
    handed_out: Set[str]
    """Scopes of functions handed around as values."""
    run_unnamed: Set[str]
    """Scopes of functions that run without being named: properties, `__iter__`, what is kept."""
