"""The few colours a report uses, or none."""

from __future__ import annotations

from dataclasses import dataclass

_CODES = {"bold": "1", "red": "1;31", "green": "32", "yellow": "33", "blue": "1;34", "cyan": "36"}


@dataclass(frozen=True, slots=True)
class Colours:
    """Colours a piece of text, if colours are wanted."""

    color: bool

    def __call__(self, name: str, text: str) -> str:
        return f"\x1b[{_CODES[name]}m{text}\x1b[0m" if self.color and text else text
