"""The kinds of file that hold Python, recognised by the file name."""

from __future__ import annotations

import os

PYTHON, NOTEBOOK, MARKDOWN = "python", "notebook", "markdown"
KIND_BY_SUFFIX = {
    ".py": PYTHON,
    ".pyw": PYTHON,
    ".ipynb": NOTEBOOK,
    ".md": MARKDOWN,
    ".markdown": MARKDOWN,
    ".mdx": MARKDOWN,
    ".qmd": MARKDOWN,
}


def kind_of(path: str) -> str:
    """The kind of a file that was named by hand: Python unless its name says otherwise."""
    return KIND_BY_SUFFIX.get(os.path.splitext(path)[1].lower(), PYTHON)
