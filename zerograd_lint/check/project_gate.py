"""The gate for files that train by calling other modules of their project.

Such a file may hold no backward and no step itself: only a loop, and an import of what has them.
It is a search over bytes as well: over its own and those of the modules it imports, taken together.
"""

from __future__ import annotations

import functools
import os
import re

from ..project.finder import Finder, is_in_project
from ..project.module_blocks import MOST_BYTES, ModuleBlocks
from ..project.unsaved_texts import UNSAVED
from ..vocabulary.frameworks import FRAMEWORKS
from .gate import GateText, can_train_together

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Set

    from ..config.settings import Settings

_LOOPS = (b"for ", b"while ")
_OPTIMIZER = re.compile(rb"opt(?:im(?!al|um|i[sz](?:e\b|ed|es\b|ing|ation))|(?<=\bopt)\w{0,2}\b)")
"""A step that this file's loop repeats is one of an optimizer that it has made or been given."""
_FRAMEWORK_WORDS = tuple(word.encode() for word in FRAMEWORKS)
# In a notebook every line stands in quotes, in a list.
_IMPORT = re.compile(
    rb'^[ \t",\[]*(?:from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]*(\([^)]*\)|[^\r\n#]*)'
    rb"|import[ \t]+([^\r\n#]*))",
    re.MULTILINE,
)
_NAME = re.compile(rb"\w+|\*")
_MOST_MODULES = 100
"""What is looked at for one file; a bound for packages that import all there is."""
_MOST_BYTES = 64_000_000
"""What is kept of the modules of a run."""
_Exported = tuple[tuple[str, ...], str, str]
"""Where imports start from, a package, and a name that it gives out."""


def may_run_training(path: str, text: str, settings: Settings) -> bool:
    """Whether a loop of this text could run a training step of another module."""
    if not settings.project:
        return False
    data = text.encode("utf-8", "surrogatepass")
    return ProjectGate().may_run_training(path, data, settings.source_folders)


class ProjectGate:
    """Looks at files and at the modules that they import, and reads each of these once."""

    def __init__(self) -> None:
        self._read: dict[str, _ImportingText] = {}
        self._bytes = 0
        self._known_givers: dict[_Exported, frozenset[str]] = {}
        self._known_sources: dict[_Exported, frozenset[str]] = {}

    def may_run_training(self, path: str, data: bytes, source_folders: tuple[str, ...]) -> bool:
        """Whether a loop of a file with this content could run a step of another module."""
        if not _may_run_other_modules(path, data):
            return False
        path = os.path.abspath(path)
        main, imported = self._with_imported(path, data, Finder(path, source_folders))
        if not imported or not can_train_together([main, *(module for module, _ in imported)]):
            return False
        # Few modules come this far: only these are taken apart.
        return can_train_together([main, *(module.reached_from(n) for module, n in imported)])

    def considered_modules(
        self, path: str, data: bytes, source_folders: tuple[str, ...]
    ) -> list[str]:
        """The paths that the answer depends on, whether a module is there or not."""
        if not _may_run_other_modules(path, data):
            return []
        path = os.path.abspath(path)
        finder = Finder(path, source_folders)
        self._with_imported(path, data, finder)
        return list(finder.probed)

    def _with_imported(
        self, path: str, data: bytes, finder: Finder
    ) -> tuple[GateText, list[tuple[_ImportingText, set[str]]]]:
        """A file, and the modules that its names come from, each with those that are used."""
        # In a notebook the end of a line is spelt out.
        data = data.replace(b"\\n", b"\n") if path.endswith(".ipynb") else data
        main = _ImportingText(finder.real_path(path), data)
        wanted: dict[str, set[str]] = {}
        for where, names in self._named(main, finder):
            wanted.setdefault(where, set()).update(names)
            if len(wanted) >= _MOST_MODULES:
                wanted = {path: {"*"} for path in wanted}
                break
        wanted.pop(main.path, None)
        return main, [(self._module(path), names) for path, names in wanted.items()]

    def _named(self, main: _ImportingText, finder: Finder) -> Iterator[tuple[str, set[str]]]:
        """The modules that a file imports, with what it uses, and those they have that from."""
        for import_ in main.imports:
            for where in _files(main.path, import_, import_.names, finder):
                names = import_.names or main.used_of(import_.spelt)
                yield where, names
                for name in sorted(names):
                    for other in sorted(self._given(where, name, finder)):
                        yield other, {"*"}

    def _given(self, package: str, name: str, finder: Finder) -> frozenset[str]:
        """The modules from which a package may have a name that it gives out, by whatever way."""
        key = (finder.roots, package, name)
        if key not in self._known_givers:
            found: set[str] = set()
            pending = [package]
            while pending and len(found) < _MOST_MODULES:
                more = self._given_directly(pending.pop(), name, finder) - found
                found |= more
                pending += sorted(more)
            self._known_givers[key] = frozenset(found)
        return self._known_givers[key]

    def _given_directly(self, package: str, name: str, finder: Finder) -> frozenset[str]:
        """Those that it imports the name from itself."""
        if not package.endswith("__init__.py"):
            return frozenset()
        key = (finder.roots, package, name)
        if key not in self._known_sources:
            self._known_sources[key] = frozenset(
                where
                for import_ in self._module(package).imports
                for where in _files(package, import_, import_.leading_to(name), finder)
            )
        return self._known_sources[key]

    def _module(self, path: str) -> _ImportingText:
        if path not in self._read:
            module = _ImportingText(path, _content(path))
            self._bytes += len(module.data)
            if self._bytes > _MOST_BYTES:
                self._read.clear()
                self._bytes = len(module.data)
            self._read[path] = module
        return self._read[path]


class _Import:
    """One import by its text: `from ..engine import step`."""

    def __init__(self, level: int, module: str, names: set[str], spelt: str = "") -> None:
        self.level = level
        self.module = module
        self.names = names
        """Empty where the module itself is imported."""
        self.spelt = spelt
        """What the module itself is called."""

    def leading_to(self, name: str) -> set[str] | None:
        """Those of its names that lead to a name; None if it has nothing to do with it."""
        if "*" in self.names:
            return set()
        if name in self.names:
            return self.names if "as" in self.names else {name}
        return set() if self.spelt.partition(".")[0] == name else None


class _ImportingText(GateText):
    """A module as bytes, and what it imports."""

    def __init__(self, path: str, data: bytes) -> None:
        super().__init__(data)
        self.path = path
        self._reached: dict[frozenset[str], GateText] = {}

    def used_of(self, module: str) -> set[str]:
        """The names of a module that it uses: `engine.step` after `import engine`."""
        uses = re.findall(rb"\b" + re.escape(module.encode()) + rb"\s*\.\s*(\w+)", self.data)
        return {_word(name) for name in uses}

    @functools.cached_property
    def imports(self) -> list[_Import]:
        return list(_imports(self.data))

    def reached_from(self, names: Set[str]) -> GateText:
        """What of it those who import some names may run; all of it, unless it defines them all."""
        key = frozenset(names)
        if key not in self._reached:
            encoded = frozenset(name.encode() for name in names)
            defined = bool(names) and all(map(self._blocks.defines, encoded))
            self._reached[key] = GateText(self._blocks.reached_from(encoded)) if defined else self
        return self._reached[key]

    @functools.cached_property
    def _blocks(self) -> ModuleBlocks:
        return ModuleBlocks(self.data)


def _may_run_other_modules(path: str, data: bytes) -> bool:
    words = any(word in data for word in _FRAMEWORK_WORDS)
    loops = words and any(loop in data for loop in _LOOPS)
    return loops and _OPTIMIZER.search(data) is not None and is_in_project(path)


def _imports(data: bytes) -> Iterator[_Import]:
    for dots, module, names, modules in _IMPORT.findall(data):
        for name in modules.split(b",") if modules else ():
            if name.strip():
                words = [_word(word) for word in name.split()]
                yield _Import(0, words[0], set(), words[-1])
        if names:
            yield _Import(len(dots), _word(module), {_word(n) for n in _NAME.findall(names)})


def _word(data: bytes) -> str:
    return data.decode("ascii", "ignore")


def _files(
    importer: str, import_: _Import, names: set[str] | None, finder: Finder
) -> Iterator[str]:
    """The files that an import may read: the module, and what of these names are modules."""
    if names is None:
        return
    module = import_.module
    for name in (module, *(".".join(filter(None, (module, name))) for name in sorted(names))):
        if import_.level:
            where = finder.relative(importer, import_.level, name)
        else:
            where = finder.absolute(name) if name else None
        if where is not None:
            yield where


def _content(path: str) -> bytes:
    """What a module holds; nothing of one that is too large to be read."""
    unsaved = UNSAVED.look_up(path)
    if unsaved is not None:
        return unsaved
    try:
        with open(path, "rb", 0) as file:
            data = file.read(MOST_BYTES + 1)
    except (OSError, ValueError, MemoryError):
        return b""
    return data if len(data) <= MOST_BYTES else b""
