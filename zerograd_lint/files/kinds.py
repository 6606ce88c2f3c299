"""The kinds of file that hold Python, recognised by the file name."""

from __future__ import annotations

import os

PYTHON, NOTEBOOK, MARKDOWN, RST = "python", "notebook", "markdown", "restructuredtext"
WITH_DOCSTRINGS = "python with docstrings"
"""A Python file in which the examples of the docstrings are checked as well."""
DOCUMENTS = (MARKDOWN, RST)
"""The kinds that are prose with blocks of Python in it."""
KIND_BY_SUFFIX = {
    ".py": PYTHON,
    ".pyw": PYTHON,
    ".ipynb": NOTEBOOK,
    ".md": MARKDOWN,
    ".markdown": MARKDOWN,
    ".mdx": MARKDOWN,
    ".qmd": MARKDOWN,
    ".rst": RST,
}


def kind_of(path: str) -> str:
    """The kind of a file that was named by hand: Python unless its name says otherwise."""
    return KIND_BY_SUFFIX.get(os.path.splitext(path)[1].lower(), PYTHON)
