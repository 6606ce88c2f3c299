"""Whether a project's ruff would delete `# noqa: ZG001`, which its rule RUF102 takes for a typo."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Mapping

from .selectors import strings

_FILES = (".ruff.toml", "ruff.toml", "pyproject.toml")
"""As ruff looks for them: the first one in a folder counts."""
_RULE = "RUF102"
_OUR_PREFIX = "ZG"


def deleting_file(folder: str) -> str | None:
    """The ruff configuration above a folder that turns RUF102 on for our codes; None if none."""
    while True:
        for name in _FILES:
            file = os.path.join(folder, name)
            table = _table(file)
            if table is not None:
                return file if _deletes(table) else None
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def _deletes(table: Mapping[str, object]) -> bool:
    lint = table.get("lint")
    # The keys of the table `lint` used to stand at the top, and ruff still reads them there.
    keys = {**table, **lint} if isinstance(lint, dict) else table
    wanted = _specificity((*strings(keys, "select"), *strings(keys, "extend-select")))
    ignored = _specificity((*strings(keys, "ignore"), *strings(keys, "extend-ignore")))
    external = any(
        _OUR_PREFIX.startswith(prefix) or prefix.startswith(_OUR_PREFIX)
        for prefix in strings(keys, "external")
    )
    return wanted > ignored and not external


def _specificity(selectors: Iterable[str]) -> int:
    """The length of the most specific selector that matches the rule; -1 if none does."""
    return max(
        (0 if each == "ALL" else len(each) for each in selectors if _matches(each)), default=-1
    )


def _matches(selector: str) -> bool:
    return selector == "ALL" or (bool(selector) and _RULE.startswith(selector))


def _table(file: str, depth: int = 0) -> dict[str, object] | None:
    """The table of one file, on top of the one it extends; None if there is none."""
    try:
        with open(file, "rb") as stream:
            table: object = tomllib.load(stream)
    except (OSError, ValueError):
        return None
    if os.path.basename(file) == "pyproject.toml":
        tool = table.get("tool") if isinstance(table, dict) else None
        table = tool.get("ruff") if isinstance(tool, dict) else None
    if not isinstance(table, dict):
        return None
    base = table.get("extend")
    if isinstance(base, str) and depth < 5:
        inherited = os.path.join(os.path.dirname(file), os.path.expanduser(base))
        return _merged(_table(inherited, depth + 1) or {}, table)
    return table


def _merged(base: dict[str, object], table: dict[str, object]) -> dict[str, object]:
    old, new = base.get("lint"), table.get("lint")
    if isinstance(old, dict) and isinstance(new, dict):
        return {**base, **table, "lint": {**old, **new}}
    return {**base, **table}
