"""The `[tool.zerograd-lint]` table of the nearest pyproject.toml, checked key by key.

A pyproject.toml that never mentions the tool is not parsed at all, and one that has no such
table is passed over on the way up, so a run without configuration pays almost nothing.
"""

from __future__ import annotations

import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .settings import Settings

FILE_NAME = "pyproject.toml"
_TABLE = "zerograd-lint"

DEFAULT_EXCLUDE = (
    ".bzr",
    ".direnv",
    ".eggs",
    ".git",
    ".git-rewrite",
    ".hg",
    ".ipynb_checkpoints",
    ".mypy_cache",
    ".nox",
    ".pants.d",
    ".pyenv",
    ".pytest_cache",
    ".pytype",
    ".ruff_cache",
    ".svn",
    ".tox",
    ".venv",
    ".vscode",
    "__pycache__",
    "__pypackages__",
    "_build",
    "buck-out",
    "dist",
    "node_modules",
    "site-packages",
    "venv",
)
FORMATS = ["full", "concise", "json", "json-lines", "sarif", "github", "gitlab", "junit", "rdjson"]

_STRINGS = "a list of strings"
_FLAG = "true or false"
_STRING = "a string"
_COUNT = "a whole number of at least 1"
_PATTERNS = "a table of lists of strings"

KEYS = {
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
    "markdown": _FLAG,
    "output-format": _STRING,
    "baseline": _STRING,
    "cache-dir": _STRING,
    "jobs": _COUNT,
    "zeroing-helpers": _STRINGS,
    "backward-functions": _STRINGS,
    "step-functions": _STRINGS,
    "self-zeroing-classes": _STRINGS,
}


class ConfigError(Exception):
    """The configuration or the command line asks for something that does not exist."""


class Config:
    """One project's table, or nothing but the defaults; `root` is what its paths are relative to.

    `options` come from the command line and go before the table; their paths are relative to
    the current folder. A plain class: the run over files that do not train must not pay for
    importing dataclasses.
    """

    __slots__ = ("file", "options", "root", "values")

    def __init__(
        self,
        root: str,
        values: Mapping[str, object] | None = None,
        file: str | None = None,
        options: Mapping[str, object] | None = None,
    ) -> None:
        self.root = root
        self.values = values or {}
        self.file = file
        self.options = options or {}

    def with_options(self, options: Mapping[str, object]) -> Config:
        return Config(self.root, self.values, self.file, options)

    def flag(self, key: str, default: bool = False) -> bool:
        return bool(self._either(key, default))

    def string(self, key: str) -> str | None:
        value = self._either(key, None)
        return value if isinstance(value, str) else None

    def count(self, key: str) -> int | None:
        value = self._either(key, None)
        return value if isinstance(value, int) else None

    def _either(self, key: str, default: object) -> object:
        return self.options.get(key, self.values.get(key, default))

    def per_file_ignores(self) -> list[tuple[str, str, tuple[str, ...]]]:
        """(folder, pattern in it, codes ignored there) for every entry that holds."""
        ignores: list[tuple[str, str, tuple[str, ...]]] = []
        for base, table in ((self.root, self.values), (os.getcwd(), self.options)):
            entries = table.get("per-file-ignores")
            if isinstance(entries, dict):
                ignores += [(base, pattern, tuple(codes)) for pattern, codes in entries.items()]
        return ignores

    def excludes(self) -> list[tuple[str, tuple[str, ...]]]:
        """(folder, patterns in it) of everything a walk leaves out."""
        here = os.getcwd()
        if "exclude" in self.options:
            first = (here, _strings(self.options, "exclude"))
        elif "exclude" in self.values:
            first = (self.root, _strings(self.values, "exclude"))
        else:
            first = (self.root, DEFAULT_EXCLUDE)
        return [
            first,
            (self.root, _strings(self.values, "extend-exclude")),
            (here, _strings(self.options, "extend-exclude")),
        ]

    def vocabulary(self) -> tuple[str, ...]:
        """The project's own names for gradient events, which the gate must know."""
        return _strings(self.values, "backward-functions") + _strings(self.values, "step-functions")

    def settings(self) -> Settings:
        """What the core needs to know of it: rule selection and vocabulary."""
        from .settings import Settings

        table, options = self.values, self.options
        if "select" in options:  # a new selection starts from nothing, as in ruff
            table = {k: v for k, v in table.items() if k not in ("extend-select", "ignore")}
        added = _strings(options, "extend-select")
        # What is asked for on the command line beats the same words in the table's ignore.
        ignored = tuple(code for code in _strings(table, "ignore") if code not in added)
        chosen = options if "select" in options else table
        return Settings(
            select=_strings(chosen, "select") if "select" in chosen else None,
            extend_select=_strings(table, "extend-select") + added,
            ignore=ignored + _strings(options, "ignore"),
            zeroing_helpers=_strings(table, "zeroing-helpers"),
            backward_functions=_strings(table, "backward-functions"),
            step_functions=_strings(table, "step-functions"),
            self_zeroing_classes=_strings(table, "self-zeroing-classes"),
        )


def _strings(table: Mapping[str, object], key: str) -> tuple[str, ...]:
    value = table.get(key)
    return tuple(map(str, value)) if isinstance(value, list | tuple) else ()


def settings_for(path: str) -> Settings:
    """The settings that hold for a file, by the nearest table above it; may raise ConfigError."""
    return nearest(os.path.dirname(os.path.abspath(path))).settings()


_known: dict[tuple[str, int, int], Config | None] = {}


def nearest(folder: str) -> Config:
    """The configuration of the first pyproject.toml with our table in this folder or above."""
    start = folder
    while True:
        config = in_folder(folder)
        if config is not None:
            return config
        parent = os.path.dirname(folder)
        if parent == folder:
            return Config(start)
        folder = parent


def in_folder(folder: str) -> Config | None:
    """This very folder's configuration; parsed again only when the file has changed."""
    file = os.path.join(folder, FILE_NAME)
    try:
        status = os.stat(file)
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(status.st_mode):  # opening a pipe of that name would wait for ever
        return None
    key = (file, status.st_mtime_ns, status.st_size)
    if key not in _known:
        table = _read(file)
        _known[key] = None if table is None else Config(folder, table, file)
    return _known[key]


def _read(file: str) -> dict[str, object] | None:
    try:
        with open(file, "rb") as stream:
            data = stream.read()
    except OSError:
        return None
    if _TABLE.encode() not in data:
        return None
    import tomllib

    try:
        document = tomllib.loads(data.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: {error}") from None
    tool = document.get("tool")
    table = tool.get(_TABLE) if isinstance(tool, dict) else None
    if table is None:
        return None
    if not isinstance(table, dict):
        raise ConfigError(f"{file}: [tool.{_TABLE}] must be a table")
    try:
        return validate(table)
    except ConfigError as error:
        raise ConfigError(f"{file}: {error}") from None


def validate(table: dict[str, object]) -> dict[str, object]:
    """The table itself, if every key is known and every value of the right kind."""
    for key, value in table.items():
        kind = KEYS.get(key)
        if kind is None:
            raise ConfigError(f"unknown key '{key}' in [tool.{_TABLE}]{closest(key, KEYS)}")
        if not _fits(kind, value):
            raise ConfigError(f"'{key}' in [tool.{_TABLE}] must be {kind}, not {value!r}")
    chosen = table.get("output-format")
    if chosen is not None and chosen not in FORMATS:
        raise ConfigError(f"unknown output-format '{chosen}'{closest(str(chosen), FORMATS)}")
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


def selectors_in(table: Mapping[str, object]) -> list[str]:
    """Every rule selector a table or the command line's options contain."""
    chosen: list[str] = []
    for key in ("select", "extend-select", "ignore"):
        chosen += _strings(table, key)
    ignores = table.get("per-file-ignores")
    for codes in ignores.values() if isinstance(ignores, dict) else ():
        chosen += codes
    return chosen


def check_selectors(selectors: list[str]) -> None:
    """Complain about the first selector that no rule answers to."""
    if not selectors:
        return
    from ..rules.registry import all_rules

    codes = list(all_rules())
    for selector in selectors:
        if selector != "ALL" and not (selector and any(c.startswith(selector) for c in codes)):
            hint = closest(selector.upper(), [*codes, "ALL"])
            raise ConfigError(f"unknown rule selector '{selector}'{hint}")


def closest(word: str, known: Iterable[str]) -> str:
    """A hint at the known word that was probably meant, to be put behind an error."""
    from difflib import get_close_matches

    close = get_close_matches(word.replace("_", "-"), list(known), n=1)
    return f"; did you mean '{close[0]}'?" if close else ""
