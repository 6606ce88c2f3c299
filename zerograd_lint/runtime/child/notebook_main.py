"""Runs a notebook as a program: `python notebook_main.py NOTEBOOK …`, started as any script is.

Its code cells run one after another, without magics. Each is a file of its own to Python, so that
places in it are counted as a person does.
"""

from __future__ import annotations

import ast
import linecache
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, ModuleType

from zerograd_lint.files.notebook import Notebook, cell_starts, parse
from zerograd_lint.finding import SourceError


def run(path: Path) -> None:
    """Run the cells of this notebook in one namespace, as a kernel does."""
    try:
        notebook = parse(path.read_text(encoding="utf-8"))
    except (SourceError, UnicodeDecodeError) as error:
        sys.exit(f"{path}: {error}")
    for cell, flaw in (*notebook.broken, *notebook.unfinished):
        sys.exit(f"{path}:cell {cell.number}:{flaw.line}: {flaw.message}")
    main = sys.modules["__main__"] = ModuleType("__main__")
    for code in list(_codes(path, notebook)):
        exec(code, vars(main))


def _codes(path: Path, notebook: Notebook) -> Iterator[CodeType]:
    sources = {cell.number: cell.source for cell in notebook.cells}
    lines = notebook.text.split("\n")
    starts = cell_starts(notebook.text)
    ends = [*(before - 1 for _, before in starts[1:]), len(lines)]
    for (number, before), end in zip(starts, ends, strict=True):
        name = f"{path.resolve()}:cell {number}"
        source = sources[number]
        linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
        # The line in front of a cell opens a block where the cell is indented.
        tree = ast.parse("\n".join(lines[before - 1 : end]), name)
        yield compile(ast.increment_lineno(tree, -1), name, "exec")


if __name__ == "__main__":
    del sys.argv[0]
    sys.path[0] = str(Path(sys.argv[0]).resolve().parent)
    run(Path(sys.argv[0]))
