"""Replaces the source text of files when a program loads them; the files stay as they are.

The corrected program keeps its path, so that what it imports and opens relative to itself is found.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib.machinery import SourceFileLoader
from types import CodeType
from typing import Any


def install(replaced: Mapping[str, str]) -> None:
    """Use these texts for imports and for the main module of spawned processes."""
    if not replaced:
        return
    texts = {os.path.realpath(path): text for path, text in replaced.items()}
    get_code = SourceFileLoader.get_code

    def replaced_code(self: SourceFileLoader, fullname: str) -> CodeType | None:
        path = self.get_filename(fullname)
        text = texts.get(os.path.realpath(path))
        return compile(text, path, "exec") if text is not None else get_code(self, fullname)

    SourceFileLoader.get_code = replaced_code  # type: ignore[method-assign, assignment]

    import runpy

    get_code_from_file: Any = runpy._get_code_from_file  # type: ignore[attr-defined]

    def replaced_main(*arguments: Any) -> Any:
        text = texts.get(os.path.realpath(arguments[-1]))
        if text is None:
            return get_code_from_file(*arguments)
        code = compile(text, arguments[-1], "exec")
        # Before Python 3.12 the function returns the code together with the file's name.
        return (code, arguments[-1]) if len(arguments) > 1 else code

    runpy._get_code_from_file = replaced_main  # type: ignore[attr-defined]
