"""The cache: findings kept by content, so that an unchanged file is never analysed twice.

An entry is addressed by what its findings depend on: the file's path and bytes, the settings and
the linter itself, down to each of its source files. Where they also depend on other modules of the
project, it holds what these were, found or not, and counts only as long as they are the same.
Entries are JSON, so reading one cannot run code. Any trouble with the folder means no cache, never
an error.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import asdict
from importlib.machinery import PathFinder

from .. import __version__
from ..files.digest import digest_of_file
from ..finding import Edit, Finding, Fix, Position, Related, SourceError, Span
from .settings import Settings

_MOST_ENTRIES = 5000
_FINGERPRINT = re.compile(r"[0-9a-f]{24}")
"""A folder of one version's findings; rule pages and proofs stand beside them."""

Answer = list[Finding] | SourceError
"""What analysing a file leads to: findings, or the reason why it cannot be done."""


class Cache:
    """Looks up and keeps the findings of files under one folder."""

    def __init__(self, folder: str) -> None:
        self._folder = os.path.join(folder, _tool_fingerprint())

    def key(self, path: str, kind: str, data: bytes, settings: Settings) -> str:
        """The name of a file's entry, from its own part of what its findings depend on."""
        digest = hashlib.blake2b(digest_size=20)
        # What an import means depends on where it stands.
        place = os.path.abspath(path) if settings.project else ""
        digest.update(json.dumps([place, kind, asdict(settings)], sort_keys=True).encode())
        digest.update(b"\0")
        digest.update(data)
        return digest.hexdigest()

    def load(self, key: str) -> tuple[Answer | None, dict[str, str]]:
        """What was stored under a key, and the other files it depends on.

        None if nothing was, if it cannot be read, or if one of those files is not what it was.
        """
        try:
            with open(os.path.join(self._folder, key), "rb") as file:
                packed = json.loads(file.read())
            dependencies = {str(path): str(was) for path, was in packed["depends"].items()}
            if any(digest_of_file(path) != was for path, was in dependencies.items()):
                return None, {}
            if "error" in packed:
                message, line, column = packed["error"]
                return SourceError(str(message), int(line), int(column)), dependencies
            return [_unpack(item) for item in packed["findings"]], dependencies
        except (OSError, ValueError, TypeError, KeyError, IndexError, AttributeError):
            return None, {}

    def store(self, key: str, answer: Answer, dependencies: dict[str, str]) -> None:
        """Keep an answer under a key; where that cannot be done, nothing happens."""
        packed: dict[str, object] = {"depends": dependencies}
        if isinstance(answer, SourceError):
            packed["error"] = [answer.message, answer.line, answer.column]
        else:
            packed["findings"] = [_pack(finding) for finding in answer]
        content = json.dumps(packed).encode()
        temporary = os.path.join(self._folder, f"{key}.{os.getpid()}.tmp")
        with contextlib.suppress(OSError):
            if not os.path.isdir(self._folder):
                _create(self._folder)
            with open(temporary, "wb") as file:
                file.write(content)
            os.replace(temporary, os.path.join(self._folder, key))
            return
        with contextlib.suppress(OSError):
            os.unlink(temporary)

    def trim(self) -> None:
        """Keep the folder from growing for ever: past a limit the older half goes."""
        with contextlib.suppress(OSError):
            with os.scandir(self._folder) as listing:
                entries = list(listing)
            if len(entries) > _MOST_ENTRIES:
                entries.sort(key=lambda entry: entry.stat().st_mtime)
                for entry in entries[: len(entries) // 2]:
                    os.unlink(entry.path)


def _create(folder: str) -> None:
    """Create the folder, mark it for backups to skip, and delete what other versions left."""
    parent = os.path.dirname(folder)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(parent, "CACHEDIR.TAG"), "w", encoding="ascii") as file:
        file.write("Signature: 8a477f597d28d172789f06886806bc55\n")
    with os.scandir(parent) as listing:
        others = [entry.path for entry in listing if _FINGERPRINT.fullmatch(entry.name)]
    others.sort(key=os.path.getmtime)
    # A few are kept: an editor and a CI run may well use different versions side by side.
    for other in others[:-4]:
        with os.scandir(other) as listing:
            for entry in listing:
                os.unlink(entry.path)
        os.rmdir(other)


def _tool_fingerprint() -> str:
    """Changes whenever the linter, its parser or the interpreter could answer differently."""
    digest = hashlib.blake2b(digest_size=12)
    digest.update(f"{__version__} {sys.version}".encode())
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for folder, folders, names in os.walk(package):
        folders.sort()
        for name in sorted(names):
            if name.endswith(".py"):
                _add_file(digest, os.path.join(folder, name))
    parser = PathFinder.find_spec("libcst")
    for folder in (parser.submodule_search_locations or ()) if parser else ():
        _add_file(digest, os.path.join(folder, "_version.py"))
    return digest.hexdigest()


def _add_file(digest: hashlib.blake2b, path: str) -> None:
    with contextlib.suppress(OSError):
        status = os.stat(path)
        digest.update(f"{path} {status.st_size} {status.st_mtime_ns}\n".encode(errors="replace"))


def _pack(finding: Finding) -> list[object]:
    fix = finding.fix
    return [
        finding.code,
        finding.name,
        finding.message,
        _pack_span(finding.span),
        [[_pack_span(item.span), item.message, item.path] for item in finding.related],
        fix and [fix.message, [[_pack_span(e.span), e.replacement] for e in fix.edits], fix.safe],
    ]


def _pack_span(span: Span) -> list[int]:
    return [span.start.line, span.start.column, span.end.line, span.end.column]


def _unpack(packed: list[object]) -> Finding:
    code, name, message, span, related, fix = packed
    return Finding(
        code=str(code),
        name=str(name),
        message=str(message),
        span=_unpack_span(span),
        related=tuple(_unpack_related(related)),
        fix=_unpack_fix(fix) if isinstance(fix, list) else None,
    )


def _unpack_related(packed: object) -> Iterator[Related]:
    if not isinstance(packed, list):
        raise ValueError(packed)
    for place, text, path in packed:
        yield Related(_unpack_span(place), str(text), None if path is None else str(path))


def _unpack_fix(packed: list[object]) -> Fix:
    message, edits, safe = packed
    changes = tuple(Edit(_unpack_span(place), text) for place, text in _pairs(edits))
    return Fix(str(message), changes, bool(safe))


def _unpack_span(packed: object) -> Span:
    if not isinstance(packed, list):
        raise ValueError(packed)
    line, column, end_line, end_column = map(int, packed)
    return Span(Position(line, column), Position(end_line, end_column))


def _pairs(packed: object) -> list[tuple[object, str]]:
    if not isinstance(packed, list):
        raise ValueError(packed)
    return [(place, str(text)) for place, text in packed]
