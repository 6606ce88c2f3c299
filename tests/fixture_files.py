"""The fixtures and what they expect, as the tests see them."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from zerograd_lint import Settings

ROOT = Path(__file__).resolve().parent.parent / "fixtures"
EVERY_FIXTURE = "ZEROGRAD_EVERY_FIXTURE"
"""A variable that leaves nothing out where a sample is enough for every change."""
_MARKER = re.compile(r"# expect: (ZG\d{3}(?:, ZG\d{3})*)")


def programs(prefix: str = "") -> list[Path]:
    """All fixture programs but the goldens, of one rule or of all."""
    return sorted(p for p in ROOT.glob(f"{prefix}*/*.py") if not p.name.endswith(".fixed.py"))


def one_in(number: int, paths: Sequence[Path]) -> Sequence[Path]:
    """A sample, for what is shown about each of them more cheaply elsewhere."""
    return paths if EVERY_FIXTURE in os.environ else paths[::number]


def copied_projects(folder: Path) -> Path:
    """A folder with the fixtures that need several files, and all that stands beside them."""
    for module in ROOT.glob("*/*/"):
        target = folder / module.parent.name
        shutil.copytree(module, target / module.name)
        for program in module.parent.glob(f"*_{module.name}.py"):
            shutil.copy(program, target)
    return folder


def label(path: Path) -> str:
    return f"{path.parent.name[:5]}/{path.name}"


def settings_for(path: Path) -> Settings:
    """The default rules and the folder's own."""
    return Settings(extend_select=(path.parent.name[:5],))


def expected(path: Path) -> list[tuple[int, str]]:
    """Line and code of every finding a program announces; goldens announce none."""
    if path.name.endswith(".fixed.py"):
        return []
    return [
        (number, code)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        for match in _MARKER.finditer(line)
        for code in match[1].split(", ")
    ]


def golden(path: Path) -> Path | None:
    fixed = path.with_name(path.stem + ".fixed.py")
    return fixed if fixed.is_file() else None
