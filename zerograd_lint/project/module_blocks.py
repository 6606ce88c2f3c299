"""A module's definitions at the left margin, as bytes: which of them a name of it may run."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Set

MOST_BYTES = 120_000
"""A module above this takes longer to read than the file that imports it."""
_STATEMENT = re.compile(
    rb"^(?:(@)|(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)|(from|import)\b"
    rb"|(?!(?:else|try|finally)\b)(\w+)[ \t]*(?::[^=\r\n]*)?=(?!=)|\w)",
    re.MULTILINE,
)
_COMPOUND = re.compile(rb"(?:if|elif|else|try|except|finally|for|while|with|match)\b")
_WORD = re.compile(rb"\w+")
_MAIN = b"if __name__"
"""What is not run by those who import a module."""


class ModuleBlocks:
    """The statements at the left margin of a module, those that bind one name by that name.

    What stands at the margin in a string is taken for a statement: it counts for itself, or for
    every name.
    """

    def __init__(self, data: bytes) -> None:
        self._named: dict[bytes, list[bytes]] = {}
        self._always: list[bytes] = []
        for name, block in _blocks(data):
            if name:
                self._named.setdefault(name, []).append(block)
            else:
                self._always.append(block)
        self._mentioned: dict[bytes, frozenset[bytes]] = {}

    def defines(self, name: bytes) -> bool:
        """Whether a statement binds a name, other than an import."""
        return name in self._named

    def reached_from(self, names: Set[bytes]) -> bytes:
        """The definitions of names, with those that they mention, and what has no name."""
        found = {name for name in names if name in self._named}
        pending = [*found, b""]
        while pending:
            for name in self._mentions(pending.pop()) - found:
                found.add(name)
                pending.append(name)
        blocks = (block for name in sorted(found) for block in self._named[name])
        return b"\n".join((*self._always, *blocks))

    def _mentions(self, name: bytes) -> frozenset[bytes]:
        """The names of this module in the definition of one of them."""
        known = self._mentioned.get(name)
        if known is None:
            blocks = self._named[name] if name else filter(_may_be_repeated, self._always)
            words = {word for block in blocks for word in _WORD.findall(block)}
            known = self._mentioned[name] = frozenset(words & self._named.keys())
        return known


def _may_be_repeated(block: bytes) -> bool:
    """Whether it may hold code of a function: defined in a branch, or behind text at the margin."""
    if _COMPOUND.match(block):
        return b"def " in block
    return b"\n " in block or b"\n\t" in block


def _blocks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The statements of a module but for its imports, each with the name that it binds."""
    starts = [(found.start(), found) for found in _STATEMENT.finditer(data)]
    begin = 0
    decorated = False
    for number, (start, found) in enumerate(starts):
        begin = begin if decorated else start
        decorator, definition, imports, variable = found.groups()
        decorated = decorator is not None
        if decorated or imports is not None:
            continue
        end = starts[number + 1][0] if number + 1 < len(starts) else len(data)
        if not data.startswith(_MAIN, start):
            yield definition or variable or b"", data[begin:end]
