"""Clones of public repositories: found in a folder, cloned where the network allows, and read.

Git checks nothing out: files are taken from its objects, so that a bare clone will do, no hook or
filter of theirs runs, and large files that are not wanted need not be there.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

KEPT = (".py", ".ipynb")
ROOT_MARKERS = ("pyproject.toml", "setup.cfg")
"""Files that say where a project begins; `setup.py` is kept anyway."""
_ADDRESS = "https://github.com/{}.git"
_REGULAR_FILE = "100"


class CloneError(Exception):
    """Git could not do what was asked; the message says why."""


def find(repository: str, folder: Path) -> Path | None:
    """The git directory of `owner/name` below a folder, bare or with a work tree."""
    name = repository.rpartition("/")[2]
    for place in (repository.replace("/", "+"), repository, name):
        for inside in ("", "repo"):
            clone = folder / place / inside
            for git in (clone / ".git", clone, clone.with_name(f"{clone.name}.git")):
                if (git / "HEAD").is_file():
                    return git
    return None


def find_or_clone(repository: str, folder: Path) -> Path:
    """The git directory of a repository; CloneError if it is not there and cannot be brought."""
    found = find(repository, folder)
    if found is None:
        target = folder / repository.replace("/", "+")
        _git(None, "clone", "--quiet", "--bare", _ADDRESS.format(repository), str(target))
        return target
    return found


def head(git: Path) -> str:
    """The newest commit."""
    return _git(git, "rev-parse", "HEAD").decode().strip()


def has_commit(git: Path, commit: str) -> bool:
    try:
        _git(git, "cat-file", "-e", f"{commit}^{{commit}}")
    except CloneError:
        return False
    return True


def read(git: Path, commit: str, path: str) -> bytes:
    """One file as it was at a commit."""
    return _git(git, "show", f"{commit}:{path}")


def export(git: Path, commit: str, target: Path) -> None:
    """Write the Python files and notebooks of a commit, and what marks a project's root."""
    (target / ".git").mkdir(parents=True, exist_ok=True)
    wanted = [(blob, path) for blob, path in _files(git, commit) if _is_kept(path)]
    for path, data in _contents(git, wanted):
        place = target / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)


def export_folder(git: Path, commit: str, folder: str, target: Path, *, largest: int) -> None:
    """Write all files of one folder of a commit, and of those below it, but the very large."""
    inside = f"{folder}/" if folder else ""
    wanted = [
        (blob, path)
        for blob, path in _files(git, commit)
        if path.startswith(inside) and ".." not in PurePosixPath(path).parts
    ]
    for path, data in _contents(git, wanted):
        if len(data) <= largest:
            place = target / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)


def _is_kept(path: str) -> bool:
    parts = PurePosixPath(path)
    inside = not parts.is_absolute() and ".." not in parts.parts and ".git" not in parts.parts
    return inside and (path.endswith(KEPT) or parts.name in ROOT_MARKERS)


def _files(git: Path, commit: str) -> Iterator[tuple[str, str]]:
    """The blobs and paths of all regular files: a link may lead anywhere."""
    listing = _git(git, "ls-tree", "-r", "-z", commit).decode("utf-8", "surrogateescape")
    for entry in listing.split("\0"):
        described, _, path = entry.partition("\t")
        if described.startswith(_REGULAR_FILE):
            yield described.split()[2], path


def _contents(git: Path, wanted: list[tuple[str, str]]) -> Iterator[tuple[str, bytes]]:
    """The contents of blobs, through one process; what a snapshot does not hold is left out."""
    asked = "".join(f"{blob}\n" for blob, _ in wanted)
    answer = _git(git, "cat-file", "--batch", data=asked.encode())
    at = 0
    for _, path in wanted:
        line_end = answer.index(b"\n", at)
        header, at = answer[at:line_end].split(), line_end + 1
        if header[1] == b"missing":
            continue
        size = int(header[2])
        yield path, answer[at : at + size]
        at += size + 1


def _git(git: Path | None, *words: str, data: bytes | None = None) -> bytes:
    where: Iterable[str] = () if git is None else ("--git-dir", str(git))
    done = subprocess.run(
        ["git", *where, *words],
        input=data,
        capture_output=True,
        check=False,
        env={**os.environ, "GIT_TERMINAL_PROMPT": "0"},
    )
    if done.returncode:
        raise CloneError(done.stderr.decode("utf-8", "replace").strip())
    return done.stdout
