"""The gate for files that train by calling other modules of their project.

Such a file may hold no backward and no step itself: only a loop, and an import of what has them.
It is a search over bytes as well: over its own and those of the modules it imports, taken together.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from ..project.finder import Finder, is_in_project
from ..project.unsaved_texts import UNSAVED
from ..vocabulary.frameworks import FRAMEWORKS
from .gate import can_train_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..config.settings import Settings

_LOOPS = (b"for ", b"while ")
_OPTIMIZER = re.compile(rb"optim|\bopt\w{0,2}\b")
"""A step that this file's loop repeats is one of an optimizer that it has made or been given."""
_FRAMEWORK_WORDS = tuple(word.encode() for word in FRAMEWORKS)
# In a notebook every line stands in quotes.
_IMPORT = re.compile(
    rb'^[ \t"]*(?:from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]*(\([^)]*\)|[^\r\n#]*)'
    rb"|import[ \t]+([^\r\n#]*))",
    re.MULTILINE,
)
_NAME = re.compile(rb"\w+|\*")


def may_run_training(path: str, text: str, settings: Settings) -> bool:
    """Whether a loop of this text could run a training step of another module."""
    if not settings.project:
        return False
    data = text.encode("utf-8", "surrogatepass")
    return may_run_training_bytes(path, data, settings.source_folders)


def may_run_training_bytes(path: str, data: bytes, source_folders: tuple[str, ...]) -> bool:
    """Whether a loop of a file with this content could run a training step of another module."""
    path = os.path.abspath(path)
    if not _may_run_other_modules(path, data):
        return False
    together = _with_imported(path, data, Finder(path, source_folders))
    return len(together) > 1 and can_train_bytes(b"\n".join(together))


def considered_modules(path: str, data: bytes, source_folders: tuple[str, ...]) -> list[str]:
    """The paths that this gate's answer depends on, whether a module is there or not."""
    path = os.path.abspath(path)
    if not _may_run_other_modules(path, data):
        return []
    finder = Finder(path, source_folders)
    _with_imported(path, data, finder)
    return list(finder.probed)


def _may_run_other_modules(path: str, data: bytes) -> bool:
    words = any(word in data for word in _FRAMEWORK_WORDS)
    loops = words and any(loop in data for loop in _LOOPS)
    return loops and _OPTIMIZER.search(data) is not None and is_in_project(path)


def _with_imported(path: str, data: bytes, finder: Finder) -> list[bytes]:
    """The content of a file and of the modules that its names come from."""
    found = {path: data}
    pending: list[tuple[str, set[str]]] = [(path, set())]
    while pending:
        importer, wanted = pending.pop()
        for level, module, names in _imports(found[importer]):
            # A package gives out what its modules define: only the wanted names are followed.
            if wanted and names and wanted.isdisjoint(names) and "*" not in names:
                continue
            for where in _files(importer, level, module, names, finder):
                if where not in found:
                    found[where] = _read(where)
                    if where.endswith("__init__.py"):
                        pending.append((where, names))
    return list(found.values())


def _imports(data: bytes) -> Iterator[tuple[int, str, set[str]]]:
    """Level, module and names of each import; without names where modules are imported."""
    for dots, module, names, modules in _IMPORT.findall(data):
        for name in modules.split(b",") if modules else ():
            if name.strip():
                yield 0, name.split()[0].decode("ascii", "ignore"), set()
        if names:
            words = {word.decode("ascii", "ignore") for word in _NAME.findall(names)}
            yield len(dots), module.decode("ascii", "ignore"), words


def _files(
    importer: str, level: int, module: str, names: set[str], finder: Finder
) -> Iterator[str]:
    """The files that an import may read: the module, and what of its names are modules."""
    for name in (module, *(".".join(filter(None, (module, name))) for name in sorted(names))):
        if level:
            where = finder.relative(importer, level, name)
        else:
            where = finder.absolute(name) if name else None
        if where is not None:
            yield where


def _read(path: str) -> bytes:
    unsaved = UNSAVED.look_up(path)
    if unsaved is not None:
        return unsaved
    try:
        with open(path, "rb", 0) as file:
            return file.read()
    except (OSError, ValueError, MemoryError):
        return b""
