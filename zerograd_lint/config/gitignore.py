"""Path patterns as git writes them: for `.gitignore` files, excludes and per-file ignores.

A pattern without a slash matches a name at any depth, one with a slash is anchored at the
folder it belongs to, the last match wins and `!` takes a path back in.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


_ANYWHERE = "(?:.*/)?"
_PLAIN_NAME = re.compile(r"(?:[\w ]|\\[.\- ])+")


class PathRules:
    """The patterns of one file or option, asked about paths relative to their folder."""

    __slots__ = ("_file_names", "_files", "_folder_names", "_folders", "_has_exceptions", "_rules")

    def __init__(self, lines: Iterable[str]) -> None:
        self._rules = [rule for rule in map(_parse, lines) if rule is not None]
        self._has_exceptions = any(negated for negated, _, _ in self._rules)
        for_files = [regex for _, only_folders, regex in self._rules if not only_folders]
        self._folder_names, self._folders = _split(regex for _, _, regex in self._rules)
        self._file_names, self._files = _split(for_files)

    def __bool__(self) -> bool:
        return bool(self._rules)

    def verdict(self, path: str, *, folder: bool) -> bool | None:
        """True: ignored, False: taken back in, None: no rule is about this path."""
        names = self._folder_names if folder else self._file_names
        matches = self._folders if folder else self._files
        if path[path.rfind("/") + 1 :] not in names and not (matches and matches(path)):
            return None
        if not self._has_exceptions:
            return True
        for negated, only_folders, regex in reversed(self._rules):
            if (folder or not only_folders) and re.fullmatch(regex, path, re.DOTALL):
                return not negated
        return None

    def covers(self, path: str) -> bool:
        """Whether the file or any folder it lies in is matched."""
        end = path.find("/")
        while end > 0:
            if self.verdict(path[:end], folder=True):
                return True
            end = path.find("/", end + 1)
        return bool(self.verdict(path, folder=False))


def _split(
    regexes: Iterable[str],
) -> tuple[frozenset[str], Callable[[str], re.Match[str] | None] | None]:
    """Plain names apart from the rest: they are most of all patterns, and a set finds them."""
    names: list[str] = []
    others: list[str] = []
    for regex in regexes:
        name = regex.removeprefix(_ANYWHERE)
        plain = name != regex and _PLAIN_NAME.fullmatch(name)
        (names if plain else others).append(name.replace("\\", "") if plain else regex)
    joined = "|".join(others)
    return frozenset(names), re.compile(joined, re.DOTALL).fullmatch if joined else None


def _parse(line: str) -> tuple[bool, bool, str] | None:
    """(negated, folders only, regular expression) of one line, or None if it says nothing."""
    line = line.rstrip("\r\n")
    while line.endswith(" ") and not line.endswith("\\ "):
        line = line[:-1]
    if not line or line.startswith("#"):
        return None
    negated = line.startswith("!")
    if negated:
        line = line[1:]
    only_folders = line.endswith("/")
    body = line[:-1] if only_folders else line
    anchored = "/" in body
    regex = _translate(body.removeprefix("/"))
    if regex is None or not body.strip("/"):
        return None
    return negated, only_folders, regex if anchored else _ANYWHERE + regex


def _translate(pattern: str) -> str | None:
    """A regular expression for the whole path; None if the pattern can match nothing."""
    parts: list[str] = []
    index, size = 0, len(pattern)
    while index < size:
        char = pattern[index]
        if char == "*":
            part, index = _stars(pattern, index)
            parts.append(part)
        elif char == "?":
            parts.append("[^/]")
            index += 1
        elif char == "[":
            group = _bracket(pattern, index)
            if group is None:
                return None
            parts.append(group[0])
            index = group[1]
        else:
            if char == "\\":
                index += 1
                if index == size:
                    return None
                char = pattern[index]
            parts.append(re.escape(char))
            index += 1
    return "".join(parts)


def _stars(pattern: str, start: int) -> tuple[str, int]:
    """What a run of stars matches, and the index after it: two of them also match slashes."""
    end = start
    while pattern[end : end + 1] == "*":
        end += 1
    two = end - start == 2 and (start == 0 or pattern[start - 1] == "/")
    if two and pattern[end : end + 1] == "/":
        return "(?:.*/)?", end + 1
    if two and end == len(pattern):
        return ".+" if start else ".*", end
    return "[^/]*", end


def _bracket(pattern: str, start: int) -> tuple[str, int] | None:
    """A character class and the index after it; None if it is not closed or means nothing."""
    index = start + 1
    negated = pattern[index : index + 1] in ("!", "^")
    index += negated
    content = ""
    first = True
    while index < len(pattern) and (first or pattern[index] != "]"):
        first = False
        if pattern.startswith("[:", index) and ":]" in pattern[index:]:
            end = pattern.index(":]", index)
            known = _POSIX_CLASSES.get(pattern[index + 2 : end])
            if known is None:
                return None
            content += known
            index = end + 2
            continue
        if pattern[index] == "\\":
            index += 1
        if index < len(pattern):
            char = pattern[index]
            content += char if char == "-" else re.escape(char)
            index += 1
    if index >= len(pattern):
        return None
    regex = f"(?!/)[{'^' if negated else ''}{content}]"
    try:
        re.compile(regex)
    except re.error:
        return None
    return regex, index + 1


_POSIX_CLASSES = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "digit": "0-9",
    "lower": "a-z",
    "space": r"\s",
    "upper": "A-Z",
    "xdigit": "0-9a-fA-F",
}
