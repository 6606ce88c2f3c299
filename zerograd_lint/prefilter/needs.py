"""What each rule needs to find in the code that one function runs before it can say a word."""

from __future__ import annotations

from ..config.settings import Settings
from .effects import CONSUMES, DEPOSITS, GIVES, READS, UNCALLED, ZEROES

NEEDS: dict[str, tuple[int, ...]] = {
    "ZG001": (DEPOSITS | CONSUMES,),
    "ZG002": (DEPOSITS | CONSUMES | ZEROES,),
    "ZG003": (DEPOSITS | ZEROES | READS,),
    "ZG004": (DEPOSITS | CONSUMES,),
    "ZG005": (UNCALLED,),
    "ZG006": (DEPOSITS | CONSUMES,),
    "ZG007": (DEPOSITS | CONSUMES,),
    "ZG008": (DEPOSITS | CONSUMES, CONSUMES | ZEROES),
    "ZG009": (ZEROES | READS,),
    "ZG010": (DEPOSITS | CONSUMES,),
    "ZG101": (DEPOSITS | CONSUMES,),
    "ZG102": (CONSUMES | GIVES,),
    "ZG103": (CONSUMES | GIVES,),
    "ZG104": (DEPOSITS | CONSUMES,),
    "ZG901": (DEPOSITS | CONSUMES,),
    "ZG902": (DEPOSITS | CONSUMES,),
    "ZG903": (DEPOSITS | CONSUMES,),
    "ZG904": (ZEROES,),
    "ZG905": (DEPOSITS | CONSUMES,),
}
"""By rule: the acts of which one lot must come together."""
OFF_BY_DEFAULT = "ZG9"


def needed(settings: Settings) -> frozenset[int]:
    """The lots of acts that let some enabled rule speak."""
    return frozenset(
        lot
        for code, lots in NEEDS.items()
        if settings.enables(code, by_default=not code.startswith(OFF_BY_DEFAULT))
        for lot in lots
    )


def allows(lots: frozenset[int], done: int) -> bool:
    return any(done & lot == lot for lot in lots)
