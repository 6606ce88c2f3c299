"""Which files to check: the ones named, and those a walk finds below the folders named.

Ten thousand files pass through here in a run, so names stay strings, the kind of an entry comes
from the directory listing, and whole folders are left out before anything in them is looked at.
"""

from __future__ import annotations

import os
import stat

from ..files.kinds import DOCUMENTS, KIND_BY_SUFFIX, PYTHON, WITH_DOCSTRINGS, kind_of
from . import pyproject
from .ignoring import exclude_rules, is_excluded, outer_gitignores, rules_in
from .project import Config

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from .ignoring import FolderRules


class Found:
    """A file to check, or a path that cannot be and why (`problem`)."""

    __slots__ = ("config", "kind", "path", "problem")

    def __init__(self, path: str, kind: str, config: Config, problem: str | None = None) -> None:
        self.path = path
        self.kind = kind
        self.config = config
        self.problem = problem


class Discovery:
    """Finds files and the configuration that holds for each."""

    def __init__(
        self,
        options: Mapping[str, object],
        *,
        isolated: bool = False,
        table: Config | None = None,
        settings: Mapping[str, object] | None = None,
    ) -> None:
        """`table` holds for every file, in place of any pyproject.toml; `settings` replace those
        of every table."""
        self._options = options
        self._settings = settings
        if isolated:
            table = Config(os.getcwd())
        self._everywhere = table.with_options(options, settings) if table else None
        self._configs: dict[str, Config] = {}

    def config_for(self, folder: str) -> Config:
        """The nearest table above a folder, with the command line's options before it."""
        known = self._everywhere or self._configs.get(folder)
        if known is None:
            own = pyproject.in_folder(folder)
            parent = os.path.dirname(folder)
            if own is not None:
                known = own.with_options(self._options, self._settings)
            elif parent == folder:
                known = Config(os.getcwd(), self._settings, options=self._options)
            else:
                known = self.config_for(parent)
            self._configs[folder] = known
        return known

    def find(self, paths: Iterable[str]) -> Iterator[Found]:
        """Every file once, in a stable order: as named, and by name within folders."""
        paths = list(paths)
        seen: set[str] = set()
        for named in paths:
            for found in self._below(named):
                if len(paths) > 1:
                    key = os.path.abspath(found.path)
                    if key in seen:
                        continue
                    seen.add(key)
                yield found

    def _below(self, named: str) -> Iterator[Found]:
        absolute = os.path.abspath(named)
        shown = named[2:] if named.startswith("./") and len(named) > 2 else named
        try:
            mode = os.stat(named).st_mode
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            yield Found(shown, PYTHON, Config(os.getcwd()), reason)
            return
        if stat.S_ISDIR(mode):
            yield from self._walk(shown, absolute)
            return
        config = self.config_for(os.path.dirname(absolute))
        if config.flag("force-exclude") and is_excluded(absolute, config):
            return
        regular = stat.S_ISREG(mode)
        kind = kind_under(config, kind_of(named))
        yield Found(shown, kind, config, None if regular else "not a regular file")

    def _walk(self, shown: str, root: str) -> Iterator[Found]:
        config = self.config_for(root)
        if config.flag("force-exclude") and is_excluded(root, config, folder=True):
            return
        prefix = "" if shown == "." else shown.rstrip("/" + os.sep) + "/"
        outer = outer_gitignores(root) if config.flag("respect-gitignore", True) else []
        waiting = [_Folder("", config, exclude_rules(config, root), outer)]
        while waiting:
            folder = waiting.pop()
            name = prefix + folder.path or "."
            try:
                entries = _listed(name)
            except OSError as error:
                reason = f"cannot list folder: {error.strerror or error}"
                yield Found(name, PYTHON, folder.config, reason)
                continue
            names = {entry.name for entry in entries}
            if folder.path and "pyvenv.cfg" in names:
                continue  # a virtual environment, whatever it is called
            self._read_own_rules(folder, names, root)
            inner = []
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    if not folder.leaves_out(entry.name, folder=True):
                        inner.append(folder.inner(entry.name))
                elif kind := folder.kind_of(entry):
                    yield Found(prefix + folder.path + entry.name, kind, folder.config)
            waiting.extend(reversed(inner))

    def _read_own_rules(self, folder: _Folder, names: set[str], root: str) -> None:
        """Take in what a pyproject.toml and a .gitignore in this very folder say."""
        absolute = os.path.join(root, folder.path.rstrip("/")) if folder.path else root
        if folder.path and pyproject.FILE_NAME in names:
            config = self.config_for(absolute)
            if config is not folder.config:
                folder.config, folder.excludes = config, exclude_rules(config, root)
        if ".gitignore" in names and folder.config.flag("respect-gitignore", True):
            own = rules_in(os.path.join(absolute, ".gitignore"), absolute, root)
            folder.ignores = [*folder.ignores, *own]


class _Folder:
    """A folder on a walk, by its path below the walk's root, and the rules that hold in it."""

    __slots__ = ("config", "excludes", "ignores", "path")

    def __init__(
        self, path: str, config: Config, excludes: list[FolderRules], ignores: list[FolderRules]
    ) -> None:
        self.path = path
        self.config = config
        self.excludes = excludes
        self.ignores = ignores

    def inner(self, name: str) -> _Folder:
        """A folder in this one, in which the same rules hold."""
        return _Folder(f"{self.path}{name}/", self.config, self.excludes, self.ignores)

    def leaves_out(self, name: str, *, folder: bool) -> bool:
        """Whether a file or folder of this name is excluded or ignored."""
        path = self.path + name
        for rules in self.excludes:
            if rules.verdict(path, folder):
                return True
        for rules in reversed(self.ignores):
            verdict = rules.verdict(path, folder)
            if verdict is not None:
                return verdict
        return False

    def kind_of(self, entry: os.DirEntry[str]) -> str | None:
        """The kind of a file that is to be checked; None for all others."""
        name = entry.name
        kind = KIND_BY_SUFFIX.get(name[name.rfind(".") :])
        if kind is None or (kind in DOCUMENTS and not self.config.flag("documents")):
            return None
        if self.leaves_out(name, folder=False) or not _is_file(entry):
            return None
        return kind_under(self.config, kind)


def kind_under(config: Config, kind: str) -> str:
    """The kind of a file, where the configuration has a say in it."""
    return WITH_DOCSTRINGS if kind == PYTHON and config.flag("docstrings") else kind


def _listed(folder: str) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as listing:
        return sorted(listing, key=_name)


def _name(entry: os.DirEntry[str]) -> str:
    return entry.name


def _is_file(entry: os.DirEntry[str]) -> bool:
    """Regular files and links to them; pipes, devices and dangling links are passed over."""
    try:
        return entry.is_file()
    except OSError:
        return False
