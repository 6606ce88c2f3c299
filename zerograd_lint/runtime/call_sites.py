"""The line of the user's code, and its callers, from which a gradient event came."""

from __future__ import annotations

import re
import sys
import sysconfig
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import CodeType, FrameType

_OWN_FOLDER = str(Path(__file__).parent)
_CHAIN_LENGTH = 6
"""How many calling lines are compared to distinguish two uses of one helper."""

CallLines = tuple[tuple[str, int], ...]
"""File and line of each call, the innermost first."""


@dataclass(frozen=True, slots=True)
class CallSite:
    """One line of the program, as it is printed."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{_shown(self.file)}:{self.line}"


@dataclass(frozen=True, slots=True, eq=False)
class CallChain:
    """A line with the lines that called it: two backward passes alike in this are the same one."""

    site: CallSite
    lines: CallLines
    nested_in_step: bool
    codes: tuple[CodeType, ...]
    """Kept alive, because their identities are what a known call is recognised by."""


_USER, _LIBRARY, _STEPPING, _TORCH, _OWN = range(5)
"""Whose code a file is; `_STEPPING` is torch's own wrapper around `step`."""

_MOST_CALLS = 4096

_TYPED_IN = re.compile(r"<(string|stdin|input|console|cell|unknown|doctest|ipython)", re.IGNORECASE)
"""Names of code that comes from no file, but from a person; the rest of `<…>` is generated."""

NOWHERE = CallSite("<unknown>", 0)
_texts: dict[CodeType, str] = {}
_known_calls: dict[tuple[int, ...], CallChain] = {}


class _Kinds(dict[str, int]):
    """Whose code each file is, found out when it is first asked for."""

    def __missing__(self, filename: str) -> int:
        kind = self[filename] = _kind_of(filename)
        return kind


_kinds = _Kinds()


def call_chain(frame: FrameType | None) -> CallChain:
    """The innermost line of the user's own code, from `frame` outwards, and its callers.

    Training calls the same few lines over and over, so calls are recognised by the instructions
    on the stack; line numbers, which are costly to find, are looked up once.
    """
    innermost, kinds = frame, _kinds
    key: list[int] = []
    while frame is not None:
        code = frame.f_code
        if kinds[code.co_filename] <= _STEPPING:
            key += (id(code), frame.f_lasti)
        frame = frame.f_back
    place = tuple(key)
    call = _known_calls.get(place)
    if call is None:
        if len(_known_calls) >= _MOST_CALLS:
            _known_calls.clear()
        call = _known_calls[place] = _read(innermost)
    return call


def is_users_own(filename: str) -> bool:
    """Whether a file is the user's, not torch's, a package's, the standard library's or ours."""
    return _kind_of(filename) == _USER


def _read(frame: FrameType | None) -> CallChain:
    chain: list[tuple[str, int]] = []
    codes: list[CodeType] = []
    fallback: tuple[str, int] | None = None
    step_wrappers = 0
    while frame is not None:
        code = frame.f_code
        kind = _kinds[code.co_filename]
        if kind <= _STEPPING:
            codes.append(code)
        if kind == _USER:
            if len(chain) < _CHAIN_LENGTH:
                chain.append((_file_of(code), frame.f_lineno))
        elif kind == _STEPPING:
            step_wrappers += code.co_name == "wrapper"
        elif kind == _LIBRARY and fallback is None:
            fallback = (code.co_filename, frame.f_lineno)
        frame = frame.f_back
    place = chain[0] if chain else fallback
    site = _site(*place) if place is not None else NOWHERE
    return CallChain(site, tuple(chain) or (place or ("", 0),), step_wrappers > 1, tuple(codes))


def _file_of(code: CodeType) -> str:
    """The file of some code; strings that were executed are numbered, being different places."""
    if code.co_filename != "<string>":
        return code.co_filename
    if code not in _texts:
        _texts[code] = f"<string {len(_texts) + 1}>" if _texts else code.co_filename
    return _texts[code]


def _kind_of(filename: str) -> int:
    if filename.startswith("<"):
        return _USER if _TYPED_IN.match(filename) else _OWN
    if filename.startswith(_OWN_FOLDER):
        return _OWN
    torch = sys.modules.get("torch")
    torch_file = getattr(torch, "__file__", None)
    if torch_file and filename.startswith(str(Path(torch_file).parent)):
        return _STEPPING if filename.endswith("optimizer.py") else _TORCH
    folders = (sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"))
    if any(name in filename for name in ("site-packages", "dist-packages")):
        return _LIBRARY
    return _OWN if filename.startswith(folders) else _USER


@lru_cache(maxsize=4096)
def _site(filename: str, line: int) -> CallSite:
    return CallSite(filename, line)


@lru_cache(maxsize=256)
def _shown(filename: str) -> str:
    path = Path(filename)
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except (ValueError, OSError):
        return filename
