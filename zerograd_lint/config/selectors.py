"""Rule selectors (`ZG001`, `ZG9`, `ALL`) in tables and options, and whether they name a rule."""

from __future__ import annotations

from .errors import ConfigError, closest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def selectors_in(table: Mapping[str, object]) -> list[str]:
    """Every rule selector a table or the command line's options contain."""
    chosen: list[str] = []
    for key in ("select", "extend-select", "ignore"):
        chosen += strings(table, key)
    ignores = table.get("per-file-ignores")
    for codes in ignores.values() if isinstance(ignores, dict) else ():
        chosen += codes
    return chosen


def check_selectors(selectors: list[str]) -> None:
    """Raise `ConfigError` for the first selector that no rule's code begins with."""
    if not selectors:
        return
    from ..rules.registry import all_rules

    codes = list(all_rules())
    for selector in selectors:
        if selector != "ALL" and not (selector and any(c.startswith(selector) for c in codes)):
            hint = closest(selector.upper(), [*codes, "ALL"])
            raise ConfigError(f"unknown rule selector '{selector}'{hint}")


def strings(table: Mapping[str, object], key: str) -> tuple[str, ...]:
    """The list of strings under a key; empty if there is none."""
    value = table.get(key)
    return tuple(map(str, value)) if isinstance(value, list | tuple) else ()
