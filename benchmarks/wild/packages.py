"""The table of pinned packages, and where their files are kept between runs."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass
from pathlib import Path

SEEN, UNSEEN = "seen", "unseen"
CACHE_VARIABLE = "ZEROGRAD_WILD_CACHE"
_TABLE = Path(__file__).with_name("packages.toml")


@dataclass(frozen=True, slots=True, order=True)
class Package:
    """One published distribution: a wheel or an sdist, known by its hash."""

    name: str
    version: str
    file: str
    sha256: str
    split: str

    @property
    def folder(self) -> str:
        return f"{self.name}-{self.version}"


def load() -> list[Package]:
    """All packages of the committed table, in its order."""
    return [Package(**row) for row in tomllib.loads(_TABLE.read_text("utf-8"))["package"]]


def default_cache() -> Path:
    """Outside the repository: nothing of other people's code is ever committed."""
    chosen = os.environ.get(CACHE_VARIABLE)
    return Path(chosen) if chosen else Path.home() / ".cache" / "zerograd-lint" / "wild"
