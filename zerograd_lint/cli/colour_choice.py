"""Whether output is coloured: `--color`, the variables other tools obey, and the terminal."""

from __future__ import annotations

import os


def wants_color(choice: str, terminal: bool) -> bool:
    """`--color` goes first, then `NO_COLOR`, `FORCE_COLOR` and `CLICOLOR_FORCE`."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if _is_on("FORCE_COLOR") or _is_on("CLICOLOR_FORCE"):
        return True
    return terminal and os.environ.get("TERM") != "dumb"


def _is_on(variable: str) -> bool:
    return os.environ.get(variable, "") not in ("", "0", "false")
