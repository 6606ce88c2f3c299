"""Find and read the `[tool.zerograd-lint]` table of the nearest pyproject.toml.

A pyproject.toml that never mentions the tool is not parsed at all, and one that has no such
table is passed over on the way up, so a run without configuration pays almost nothing.
"""

from __future__ import annotations

import os
import stat

from .errors import ConfigError
from .project import Config
from .table import TABLE, validate

FILE_NAME = "pyproject.toml"

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


def named(file: str) -> Config:
    """The configuration in a file named by hand: a pyproject.toml, or nothing but our table.

    Its paths are relative to the current folder, as those of the command line are.
    """
    try:
        with open(file, "rb") as stream:
            data = stream.read()
    except OSError as error:
        raise ConfigError(f"cannot read {file}: {error.strerror}") from None
    document = _parsed(file, data)
    table = _own_table(file, document)
    if table is None:
        table = {} if os.path.basename(file) == FILE_NAME else document
    return Config(os.getcwd(), _validated(file, table), file)


def inline(setting: str) -> dict[str, object]:
    """One `KEY = VALUE` of the command line, written as in the table."""
    return _validated("--config", _parsed(f"--config {setting}", setting.encode()))


def _read(file: str) -> dict[str, object] | None:
    try:
        with open(file, "rb") as stream:
            data = stream.read()
    except OSError:
        return None
    if TABLE.encode() not in data:
        return None
    table = _own_table(file, _parsed(file, data))
    return None if table is None else _validated(file, table)


def _parsed(file: str, data: bytes) -> dict[str, object]:
    import tomllib

    try:
        return tomllib.loads(data.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: {error}") from None


def _own_table(file: str, document: dict[str, object]) -> dict[str, object] | None:
    tool = document.get("tool")
    table = tool.get(TABLE) if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise ConfigError(f"{file}: [tool.{TABLE}] must be a table")
    return table


def _validated(file: str, table: dict[str, object]) -> dict[str, object]:
    try:
        return validate(table)
    except ConfigError as error:
        raise ConfigError(f"{file}: {error}") from None
