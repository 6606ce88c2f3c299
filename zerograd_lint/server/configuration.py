"""Which configuration holds for an open file: the nearest pyproject.toml, the client's on top."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Mapping
from pathlib import Path

from ..config import pyproject
from ..config.baseline import Baseline
from ..config.errors import ConfigError
from ..config.ignoring import is_excluded
from ..config.project import Config
from ..config.table import validate

SECTION = "zerograd-lint"
KEYS = ("select", "extend-select", "ignore", "unsafe-fixes")
"""What a client may set; all else belongs to the project, in its pyproject.toml."""


def client_options(settings: object) -> dict[str, object]:
    """A client's settings under the names of the configuration; `ConfigError` if one is wrong."""
    if isinstance(settings, dict) and isinstance(settings.get(SECTION), dict):
        settings = settings[SECTION]
    if not isinstance(settings, dict):
        return {}
    given = {_kebab(str(key)): value for key, value in settings.items() if value is not None}
    return validate({key: value for key, value in given.items() if key in KEYS})


def _kebab(key: str) -> str:
    return re.sub(r"(?<=[a-z])([A-Z])", r"-\1", key).replace("_", "-").lower()


class Configuration:
    """The client's folders and their settings; replaced as a whole when one of them changes."""

    def __init__(
        self,
        folders: Mapping[str, Mapping[str, object]] | None = None,
        elsewhere: Mapping[str, object] | None = None,
    ) -> None:
        self._folders = dict(folders or {})
        self._elsewhere = elsewhere or {}

    def config_for(self, path: str) -> Config | None:
        """The configuration of a file; None if the file is excluded."""
        folder = str(Path(path).parent)
        workspace = self._workspace_folder(path)
        config = pyproject.nearest(folder)
        if config.file is None:
            config = Config(workspace or (Path(path).anchor if self._folders else folder))
        options = self._folders[workspace] if workspace is not None else self._elsewhere
        config = config.with_options(options)
        return None if is_excluded(path, config) else config

    def _workspace_folder(self, path: str) -> str | None:
        around = [f for f in self._folders if path.startswith(f.rstrip(os.sep) + os.sep)]
        return max(around, key=len, default=None)


def known_findings(config: Config) -> Baseline | None:
    """The baseline that the project's table names."""
    name = config.string("baseline")
    if name is None:
        return None
    file = Path(config.root, name)
    try:
        status = file.stat()
    except OSError as error:
        raise ConfigError(f"cannot read baseline {file}: {error.strerror}") from None
    return _baseline(str(file), status.st_mtime_ns, status.st_size)


@functools.lru_cache(maxsize=16)
def _baseline(file: str, _modified: int, _size: int) -> Baseline:
    """Read again only when the file has changed."""
    return Baseline(file)
