"""How closely gradient buffers are looked at, which is raised when something looks odd."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Scrutiny:
    """Switches shared by those who read the buffers and those who judge the steps."""

    enforcing: bool = False
    """Clear what was applied before a backward adds to it, which changes no right program."""
    in_doubt: bool = False
    """A buffer was found full of zeros, and what it had held before is unknown."""
    watching: bool = False
    """Something looked odd: from now on remember contents, to tell odd from wrong."""
    measuring: bool = False
    """Leftovers were applied: from now on copy them, to say how much they matter."""
