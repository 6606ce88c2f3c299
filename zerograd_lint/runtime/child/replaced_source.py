"""Replaces the source text of modules when a program imports them; the files stay as they are.

A program runs on a copy of its folder, but an installed project is imported from where it is.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib.machinery import SourceFileLoader
from types import CodeType


def install(replaced: Mapping[str, str]) -> None:
    """Use these texts for imports of these files."""
    if not replaced:
        return
    texts = {os.path.realpath(path): text for path, text in replaced.items()}
    get_code = SourceFileLoader.get_code

    def replaced_code(self: SourceFileLoader, fullname: str) -> CodeType | None:
        path = self.get_filename(fullname)
        text = texts.get(os.path.realpath(path))
        return compile(text, path, "exec") if text is not None else get_code(self, fullname)

    SourceFileLoader.get_code = replaced_code  # type: ignore[method-assign, assignment]
