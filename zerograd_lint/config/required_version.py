"""The key `required-version`: whether this version of the linter is one that a project wants."""

from __future__ import annotations

import re

from .. import __version__
from .errors import ConfigError

_CLAUSE = re.compile(r"(?P<sign>~=|==|!=|<=|>=|<|>)?\s*v?(?P<version>\d+(?:\.\d+)*)(?P<any>\.\*)?")


def check_version(required: str) -> None:
    """Raise `ConfigError` if this version does not satisfy `>=0.1,<0.3` or the like."""
    installed = _numbers(re.match(r"\d+(?:\.\d+)*", __version__)[0])  # type: ignore[index]
    for text in required.split(","):
        clause = _CLAUSE.fullmatch(text.strip())
        if clause is None:
            raise ConfigError(f"required-version '{required}' is not a version such as '>=0.1'")
        if not _holds(installed, clause):
            raise ConfigError(
                f"zerograd-lint {__version__} is installed, but version {required} is required"
            )


def _holds(installed: tuple[int, ...], clause: re.Match[str]) -> bool:
    wanted = _numbers(clause["version"])
    sign = clause["sign"] or "=="
    if clause["any"]:
        same = _filled(installed, len(wanted))[: len(wanted)] == wanted
        return same == (sign == "==")
    length = max(len(installed), len(wanted))
    have, want = _filled(installed, length), _filled(wanted, length)
    if sign == "~=":
        return have >= want and have[: len(wanted) - 1] == wanted[:-1]
    return {
        "==": have == want,
        "!=": have != want,
        "<=": have <= want,
        ">=": have >= want,
        "<": have < want,
        ">": have > want,
    }[sign]


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def _filled(version: tuple[int, ...], length: int) -> tuple[int, ...]:
    return version + (0,) * (length - len(version))
