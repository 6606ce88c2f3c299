"""Help texts: prose is wrapped to the terminal, examples stay as they were written."""

from __future__ import annotations

import argparse
import os


class HelpFormat(argparse.HelpFormatter):
    """A formatter that is given its width: argparse would import shutil for every option."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_width())

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if "\n" not in text:
            return super()._fill_text(text, width, indent)
        return "".join(indent + line for line in text.splitlines(keepends=True))


def _width() -> int:
    columns = os.environ.get("COLUMNS", "")
    if columns.isdigit():
        return max(int(columns) - 2, 40)
    try:
        return max(os.get_terminal_size().columns - 2, 40)
    except OSError:
        return 78
