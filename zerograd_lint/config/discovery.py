"""Which files to check: the ones named, and those a walk finds below the folders named.

Ten thousand files pass through here in a run, so names stay strings, the kind of an entry comes
from the directory listing, and whole folders are left out before anything in them is looked at.
"""

from __future__ import annotations

import os
import stat

from ..files.kinds import KIND_BY_SUFFIX, MARKDOWN, PYTHON, kind_of
from . import pyproject
from .gitignore import PathRules
from .pyproject import Config

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


class Found:
    """A file to check, or a path that cannot be and why (`problem`)."""

    __slots__ = ("config", "kind", "path", "problem")

    def __init__(self, path: str, kind: str, config: Config, problem: str | None = None) -> None:
        self.path = path
        self.kind = kind
        self.config = config
        self.problem = problem


class _Level:
    """Path rules that hold from some folder downwards, asked about paths below a walk's root."""

    __slots__ = ("_cut", "_lead", "rules")

    def __init__(self, rules: PathRules, base: str, root: str) -> None:
        self.rules = rules
        inside = os.path.relpath(base, root).replace(os.sep, "/")
        if base != root and not inside.startswith(".."):
            self._lead, self._cut = "", len(inside) + 1
        else:
            lead = os.path.relpath(root, base).replace(os.sep, "/")
            self._lead, self._cut = "" if lead == "." else f"{lead}/", 0

    def verdict(self, path: str, folder: bool) -> bool | None:
        return self.rules.verdict(self._lead + path[self._cut :], folder=folder)


class Discovery:
    """Finds files and the configuration that holds for each."""

    def __init__(self, options: Mapping[str, object], *, isolated: bool = False) -> None:
        self._options = options
        self._isolated = isolated
        self._configs: dict[str, Config] = {}

    def config_for(self, folder: str) -> Config:
        """The nearest table above a folder, with the command line's options before it."""
        known = self._configs.get(folder)
        if known is None:
            own = None if self._isolated else pyproject.in_folder(folder)
            parent = os.path.dirname(folder)
            if own is not None:
                known = own.with_options(self._options)
            elif parent == folder or self._isolated:
                known = Config(os.getcwd(), options=self._options)
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
        holds = self.config_for(os.path.dirname(absolute))
        if holds.flag("force-exclude") and _excluded(absolute, holds):
            return
        regular = stat.S_ISREG(mode)
        yield Found(shown, kind_of(named), holds, None if regular else "not a regular file")

    def _walk(self, shown: str, root: str) -> Iterator[Found]:
        holds = self.config_for(root)
        if holds.flag("force-exclude") and _excluded(root, holds, folder=True):
            return
        prefix = "" if shown == "." else shown.rstrip("/" + os.sep) + "/"
        outer = _outer_gitignores(root) if holds.flag("respect-gitignore", True) else []
        # (path below the root, configuration, its excludes, the .gitignore files that hold)
        waiting = [("", holds, _exclude_levels(holds, root), outer)]
        while waiting:
            below, holds, excludes, ignores = waiting.pop()
            try:
                with os.scandir(prefix + below or ".") as listing:
                    entries = sorted(listing, key=_name)
            except OSError as error:
                reason = error.strerror or str(error)
                yield Found(prefix + below or ".", PYTHON, holds, f"cannot list folder: {reason}")
                continue
            names = {entry.name for entry in entries}
            if below and "pyvenv.cfg" in names:
                continue  # a virtual environment, whatever it is called
            if below and pyproject.FILE_NAME in names:
                inner = self.config_for(os.path.join(root, below.rstrip("/")))
                if inner is not holds:
                    holds, excludes = inner, _exclude_levels(inner, root)
            if ".gitignore" in names and holds.flag("respect-gitignore", True):
                base = os.path.join(root, below.rstrip("/")) if below else root
                ignores = [*ignores, *_level(os.path.join(base, ".gitignore"), base, root)]
            markdown = holds.flag("markdown")
            folders = []
            for entry in entries:
                name = entry.name
                if entry.is_dir(follow_symlinks=False):
                    path = below + name
                    if not _left_out(path, True, excludes, ignores):
                        folders.append((path + "/", holds, excludes, ignores))
                    continue
                kind = KIND_BY_SUFFIX.get(name[name.rfind(".") :])
                if kind is None or (kind is MARKDOWN and not markdown):
                    continue
                path = below + name
                if _left_out(path, False, excludes, ignores) or not _is_file(entry):
                    continue
                yield Found(prefix + path, kind, holds)
            waiting.extend(reversed(folders))


def _name(entry: os.DirEntry[str]) -> str:
    return entry.name


def _is_file(entry: os.DirEntry[str]) -> bool:
    """Regular files and links to them; pipes, devices and dangling links are passed over."""
    try:
        return entry.is_file()
    except OSError:
        return False


def _left_out(path: str, folder: bool, excludes: list[_Level], ignores: list[_Level]) -> bool:
    for level in excludes:
        if level.verdict(path, folder):
            return True
    for level in reversed(ignores):
        verdict = level.verdict(path, folder)
        if verdict is not None:
            return verdict
    return False


def _exclude_levels(holds: Config, root: str) -> list[_Level]:
    return [
        _Level(rules, base, root)
        for base, patterns in holds.excludes()
        if (rules := PathRules(patterns))
    ]


def _excluded(absolute: str, holds: Config, *, folder: bool = False) -> bool:
    for base, patterns in holds.excludes():
        path = os.path.relpath(absolute, base).replace(os.sep, "/")
        # A folder's own name counts too, so ask about something inside it.
        if PathRules(patterns).covers(f"{path}/*" if folder else path):
            return True
    return False


def ignored_codes(absolute: str, holds: Config) -> tuple[str, ...]:
    """The selectors that per-file ignores turn off for this file."""
    codes: tuple[str, ...] = ()
    for base, pattern, ignored in holds.per_file_ignores():
        path = os.path.relpath(absolute, base).replace(os.sep, "/")
        if PathRules([pattern]).covers(path):
            codes += ignored
    return codes


def _outer_gitignores(root: str) -> list[_Level]:
    """What git itself would obey above a folder: up to the repository's root, outermost first."""
    levels: list[_Level] = []
    folder = root
    while not os.path.exists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return []
        if folder != root:
            levels = _level(os.path.join(folder, ".gitignore"), folder, root) + levels
        folder = parent
    if folder != root:
        levels = _level(os.path.join(folder, ".gitignore"), folder, root) + levels
    home = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    return [
        *_level(os.path.join(home, "git", "ignore"), folder, root),
        *_level(os.path.join(folder, ".git", "info", "exclude"), folder, root),
        *levels,
    ]


def _level(file: str, base: str, root: str) -> list[_Level]:
    """The rules of one ignore file, or none if it is not there."""
    try:
        if not os.path.isfile(file):
            return []
        with open(file, encoding="utf-8-sig", errors="surrogateescape") as stream:
            rules = PathRules(stream)
    except OSError:
        return []
    return [_Level(rules, base, root)] if rules else []
