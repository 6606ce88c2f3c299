"""The gate for files that train by calling other modules of their project.

Such a file may hold no backward and no step itself: only a loop, and an import of what has them.
It is a search over bytes as well: over its own and those of the modules it imports, taken together.
"""

from __future__ import annotations

import os
import re

from ..project.finder import Finder, is_in_project
from ..project.unsaved_texts import UNSAVED
from ..vocabulary.frameworks import FRAMEWORKS
from .gate import can_train_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..config.settings import Settings

_LOOPS = (b"for ", b"while ")
_FRAMEWORK_WORDS = tuple(word.encode() for word in FRAMEWORKS)
# In a notebook every line stands in quotes.
_IMPORT = re.compile(
    rb'^[ \t"]*(?:from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+([^\r\n#]*)|import[ \t]+([^\r\n#]*))',
    re.MULTILINE,
)
_NAME = re.compile(rb"[\w.]+")


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
    return words and any(loop in data for loop in _LOOPS) and is_in_project(path)


def _with_imported(path: str, data: bytes, finder: Finder) -> list[bytes]:
    """The content of a file and of the modules it imports, also by way of packages."""
    found = {path: data}
    pending = [path]
    while pending:
        importer = pending.pop()
        for module in _imported(importer, found[importer], finder):
            if module not in found:
                found[module] = _read(module)
                if module.endswith("__init__.py"):
                    pending.append(module)
    return list(found.values())


def _read(path: str) -> bytes:
    unsaved = UNSAVED.look_up(path)
    if unsaved is not None:
        return unsaved
    try:
        with open(path, "rb", 0) as file:
            return file.read()
    except (OSError, ValueError, MemoryError):
        return b""


def _imported(path: str, data: bytes, finder: Finder) -> list[str]:
    """The files of the project's modules that a file may import."""
    found: dict[str, None] = {}
    for dots, module, names, modules in _IMPORT.findall(data):
        if modules:
            wanted = [(0, part.split()[0]) for part in modules.split(b",") if part.strip()]
        else:
            inner = [b".".join(filter(None, (module, name))) for name in _NAME.findall(names)]
            wanted = [(len(dots), name) for name in (module, *inner)]
        for level, name in wanted:
            text = name.decode("ascii", "ignore")
            where = finder.relative(path, level, text) if level else finder.absolute(text)
            if where is not None and where != path:
                found[where] = None
    return list(found)
