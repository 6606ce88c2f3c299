"""The keys of the `[tool.zerograd-lint]` table, and what each may hold."""

from __future__ import annotations

from .errors import ConfigError, closest
from .selectors import check_selectors, selectors_in

TABLE = "zerograd-lint"
FORMATS = ["full", "concise", "json", "json-lines", "sarif", "github", "gitlab", "junit", "rdjson"]

_STRINGS = "a list of strings"
_FLAG = "true or false"
_STRING = "a string"
_COUNT = "a whole number of at least 1"
_PATTERNS = "a table of lists of strings"

KEYS = {
    "required-version": _STRING,
    "select": _STRINGS,
    "extend-select": _STRINGS,
    "ignore": _STRINGS,
    "per-file-ignores": _PATTERNS,
    "exclude": _STRINGS,
    "extend-exclude": _STRINGS,
    "force-exclude": _FLAG,
    "respect-gitignore": _FLAG,
    "fix": _FLAG,
    "unsafe-fixes": _FLAG,
    "unused-noqa": _FLAG,
    "documents": _FLAG,
    "docstrings": _FLAG,
    "output-format": _STRING,
    "baseline": _STRING,
    "cache-dir": _STRING,
    "jobs": _COUNT,
    "project": _FLAG,
    "src": _STRINGS,
    "zeroing-helpers": _STRINGS,
    "backward-functions": _STRINGS,
    "step-functions": _STRINGS,
    "self-zeroing-classes": _STRINGS,
}


def validate(table: dict[str, object]) -> dict[str, object]:
    """The table itself, if every key is known and every value of the right kind."""
    for key, value in table.items():
        kind = KEYS.get(key)
        if kind is None:
            raise ConfigError(f"unknown key '{key}' in [tool.{TABLE}]{closest(key, KEYS)}")
        if not _fits(kind, value):
            raise ConfigError(f"'{key}' in [tool.{TABLE}] must be {kind}, not {value!r}")
    chosen = table.get("output-format")
    if chosen is not None and chosen not in FORMATS:
        raise ConfigError(f"unknown output-format '{chosen}'{closest(str(chosen), FORMATS)}")
    required = table.get("required-version")
    if required is not None:
        from .required_version import check_version

        check_version(str(required))
    check_selectors(selectors_in(table))
    return table


def _fits(kind: str, value: object) -> bool:
    if kind == _STRINGS:
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    if kind == _FLAG:
        return isinstance(value, bool)
    if kind == _STRING:
        return isinstance(value, str)
    if kind == _COUNT:
        return isinstance(value, int) and not isinstance(value, bool) and value >= 1
    return isinstance(value, dict) and all(_fits(_STRINGS, item) for item in value.values())
