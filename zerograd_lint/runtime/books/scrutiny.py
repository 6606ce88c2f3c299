"""How closely gradient buffers are inspected; more closely once something looks odd."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Scrutiny:
    """Switches that the judging of steps sets and the reading of buffers obeys."""

    enforcing: bool = False
    """Clear what was applied before a backward adds to it, which changes no right program."""
    in_doubt: bool = False
    """A buffer was found full of zeros, and what it had held before is unknown."""
    watching: bool = False
    """Something looked odd: from now on remember contents, to see whether it is wrong."""
    measuring: bool = False
    """Leftovers were applied: from now on copy them now and then, to say how much they matter."""
    secretive: bool = False
    """A buffer was cleared through `.data`, which its version does not show: always look."""
