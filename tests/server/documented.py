"""The configurations that docs/editors.md gives, for tests that set an editor up with them."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from .client import ROOT

DOCUMENTATION = ROOT / "docs" / "editors.md"


def configuration(editor: str, language: str, number: int = 0) -> str:
    """A code block of an editor's section, counted from 0."""
    text = DOCUMENTATION.read_text(encoding="utf-8")
    section = re.split(rf"^## {re.escape(editor)}$", text, flags=re.MULTILINE)[1].split("\n## ")[0]
    return re.findall(rf"^```{language}\n(.*?)^```", section, re.MULTILINE | re.DOTALL)[number]


def with_command(folder: Path) -> dict[str, str]:
    """An environment in which `zerograd-lint` is this checkout's."""
    programs = folder / "bin"
    programs.mkdir(exist_ok=True)
    command = programs / "zerograd-lint"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m zerograd_lint "$@"\n')
    command.chmod(0o755)
    return {
        **os.environ,
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "ZEROGRAD_LINT_CACHE_DIR": str(folder / "cache"),
        "LC_ALL": "C.UTF-8",
    }
