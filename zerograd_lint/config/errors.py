"""The error for a wrong configuration or command line, with a hint at the right word."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class ConfigError(Exception):
    """The configuration or the command line asks for something that does not exist."""


def closest(word: str, known: Iterable[str]) -> str:
    """A hint at the known word that was probably meant, to be put behind an error."""
    from difflib import get_close_matches

    close = get_close_matches(word.replace("_", "-"), list(known), n=1)
    return f"; did you mean '{close[0]}'?" if close else ""
