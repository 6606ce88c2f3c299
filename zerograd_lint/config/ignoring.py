"""Which paths are left out: by the configuration's excludes and by .gitignore files."""

from __future__ import annotations

import os

from .gitignore import PathRules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .project import Config


class FolderRules:
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
        """True: left out, False: taken back in, None: no rule is about this path."""
        return self.rules.verdict(self._lead + path[self._cut :], folder=folder)


def exclude_rules(config: Config, root: str) -> list[FolderRules]:
    """The configuration's excludes, for a walk that begins at this root."""
    return [
        FolderRules(rules, base, root)
        for base, patterns in config.excludes()
        if (rules := PathRules(patterns))
    ]


def is_excluded(absolute: str, config: Config, *, folder: bool = False) -> bool:
    """Whether the configuration's excludes cover a file or folder that was named by hand."""
    for base, patterns in config.excludes():
        path = os.path.relpath(absolute, base).replace(os.sep, "/")
        # A folder's own name counts too, so ask about something inside it.
        if PathRules(patterns).covers(f"{path}/*" if folder else path):
            return True
    return False


def ignored_codes(absolute: str, config: Config) -> tuple[str, ...]:
    """The selectors that per-file ignores turn off for this file."""
    codes: tuple[str, ...] = ()
    for base, pattern, ignored in config.per_file_ignores():
        path = os.path.relpath(absolute, base).replace(os.sep, "/")
        if PathRules([pattern]).covers(path):
            codes += ignored
    return codes


def outer_gitignores(root: str) -> list[FolderRules]:
    """What git itself would obey above a folder: up to the repository's root, outermost first."""
    rules: list[FolderRules] = []
    folder = root
    while not os.path.exists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return []
        if folder != root:
            rules = rules_in(os.path.join(folder, ".gitignore"), folder, root) + rules
        folder = parent
    if folder != root:
        rules = rules_in(os.path.join(folder, ".gitignore"), folder, root) + rules
    home = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    return [
        *rules_in(os.path.join(home, "git", "ignore"), folder, root),
        *rules_in(os.path.join(folder, ".git", "info", "exclude"), folder, root),
        *rules,
    ]


def rules_in(file: str, base: str, root: str) -> list[FolderRules]:
    """The rules of one ignore file, or none if it is not there."""
    try:
        if not os.path.isfile(file):
            return []
        with open(file, encoding="utf-8-sig", errors="surrogateescape") as stream:
            rules = PathRules(stream)
    except OSError:
        return []
    return [FolderRules(rules, base, root)] if rules else []
