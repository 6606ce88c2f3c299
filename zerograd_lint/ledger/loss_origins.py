"""Where a loss came from, followed out of the function that computed it to its callers."""

from __future__ import annotations

from typing import Protocol

from ..program import Environment, Ref

_MOST_CALLS = 4
"""Parameters are followed through no more calls than this."""


class ValueOrigins(Protocol):
    """Where the values of variables come from, as the front end has found it."""

    def origins_of(self, variable: Ref) -> frozenset[Ref] | None:
        """All modules, tensors and parameters a variable can have come from; None if not known."""

    def is_parameter(self, ref: Ref) -> bool:
        """Whether this is a parameter of some function."""

    def is_made_separately(self, ref: Ref) -> bool:
        """Whether this was made once, in this file, and shares no parameters with anything."""

    def is_constructed_locally(self, ref: Ref) -> bool:
        """Whether this is made by a constructor in its own function, given no other network."""

    def is_bare_tensor(self, ref: Ref) -> bool:
        """Whether this is a tensor that no network can have among its parameters."""

    def is_older(self, optimizer: Ref, made: Ref) -> bool:
        """Whether an optimizer was made before this, so that it cannot own it."""


def origins_at_entry(
    origins: frozenset[Ref] | None,
    environment: Environment,
    values: ValueOrigins,
    calls: int = 0,
) -> frozenset[Ref] | None:
    """Origins of a loss as the outermost function names them.

    None where that is not known of one of them, or where one may share parameters with others.
    """
    if origins is None or calls > _MOST_CALLS:
        return None
    found: set[Ref] = set()
    for origin in origins:
        if values.is_parameter(origin):
            argument = environment.resolve(origin).root
            passed = values.origins_of(argument) if argument != origin else None
            outer = origins_at_entry(passed, environment, values, calls + 1)
            if outer is None:
                return None
            found |= outer
        elif values.is_made_separately(origin):
            found.add(environment.resolve(origin))
        else:
            return None
    return frozenset(found)
