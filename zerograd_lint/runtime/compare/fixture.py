"""Fixtures: small programs whose name and comments say what must be found in them."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

_CODE = re.compile(r"ZG\d{3}")
_EXPECT = re.compile(r"#\s*expect:\s*(ZG\d{3}(?:\s*,\s*ZG\d{3})*)")
_REQUIRES = re.compile(r"^#\s*requires:\s*(.+?)\s*$", re.MULTILINE)
_HEAD_LINES = 10

BAD, FIXED, OK = "bad", "fixed", "ok"


@dataclass(frozen=True, slots=True)
class Fixture:
    """One fixture file."""

    path: Path
    kind: str
    """`bad`, `fixed` or `ok`."""
    code: str
    """The rule whose folder it lies in."""
    expected: tuple[str, ...]
    """The codes that its comments expect."""
    missing: tuple[str, ...]
    """Modules it needs that are not installed."""

    @property
    def twin(self) -> Path | None:
        """The corrected program to compare a bad one with."""
        stem = self.path.stem.removeprefix("bad_")
        for name in (f"bad_{stem}.fixed.py", f"ok_{stem}.py"):
            candidate = self.path.with_name(name)
            if candidate.exists():
                return candidate
        return None


def find(paths: Iterable[Path]) -> list[Fixture]:
    """All fixtures among these files and below these folders, by path."""
    files: set[Path] = set()
    for path in paths:
        files.update(path.rglob("*.py") if path.is_dir() else [path])
    fixtures = (read(path) for path in sorted(files))
    return [fixture for fixture in fixtures if fixture is not None]


def read(path: Path) -> Fixture | None:
    """The fixture in this file; None if its name does not make it one."""
    kind = _kind(path.name)
    if kind is None:
        return None
    text = path.read_text(encoding="utf-8")
    found = _CODE.match(path.resolve().parent.name)
    marked = (code for match in _EXPECT.finditer(text) for code in _CODE.findall(match[1]))
    needed = _REQUIRES.findall("\n".join(text.splitlines()[:_HEAD_LINES]))
    modules = [name.strip() for line in needed for name in line.split(",")]
    return Fixture(
        path=path,
        kind=kind,
        code=found[0] if found else "",
        expected=tuple(dict.fromkeys(marked)) if kind == BAD else (),
        missing=tuple(name for name in modules if not _is_importable(name)),
    )


def _kind(name: str) -> str | None:
    if name.startswith("bad_"):
        return FIXED if name.endswith(".fixed.py") else BAD
    return OK if name.startswith("ok_") else None


def _is_importable(name: str) -> bool:
    return importlib.util.find_spec(name.split(".")[0]) is not None
