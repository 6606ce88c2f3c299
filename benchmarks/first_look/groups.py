"""The groups: lists of projects, each pinned, with the hash of the list beside them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from ..historical import bugs
from ..wild import packages
from ..wild.packages import UNSEEN, Package

GROUPS = Path(__file__).with_name("groups")
_HASHES = GROUPS / "SHA256SUMS"
_NAMED = Path(__file__).with_name("used.txt")


@dataclass(frozen=True, slots=True, order=True)
class Repository:
    """A public repository at one commit."""

    name: str
    """Owner and name, as in its address."""
    commit: str

    @property
    def folder(self) -> str:
        return self.name.replace("/", "+")


Project = Package | Repository


def group_names() -> list[str]:
    return sorted(path.stem for path in GROUPS.glob("*.txt"))


def load(group: str) -> list[Project]:
    """The projects of a group, if its list is still the one that was drawn."""
    text = _list_of(group).read_text("utf-8")
    if _hashes().get(group) != _sha256(text):
        raise ValueError(f"{group}.txt is not the list that was drawn: its hash is another")
    return [_project(line) for line in text.splitlines()]


def write_group(group: str, lines: list[str]) -> str:
    """Write the list of a group and its hash; a group that was drawn stays as it is."""
    if _list_of(group).exists():
        raise ValueError(f"{group} has been drawn already")
    text = "".join(f"{line}\n" for line in lines)
    _list_of(group).write_text(text, "utf-8")
    hashes = {**_hashes(), group: _sha256(text)}
    _HASHES.write_text("".join(f"{h}  {g}.txt\n" for g, h in sorted(hashes.items())), "utf-8")
    return f"{len(lines)} projects, sha256 {hashes[group]}"


def used_projects() -> set[str]:
    """Projects looked at before: pinned, drawn, with a bug in the table, or named in notes."""
    pinned = {package.name for package in packages.load()}
    drawn = {project.name for group in group_names() for project in load(group)}
    read = {bug.repository for bug in bugs.load()}
    return pinned | drawn | read | set(_NAMED.read_text("utf-8").split())


def _project(line: str) -> Project:
    first, _, rest = line.partition(" ")
    name, pinned, version = first.partition("==")
    if not pinned:
        return Repository(name, rest)
    file, _, sha256 = rest.rpartition(" ")  # the name of a file may have spaces in it
    return Package(name, version, file, sha256, UNSEEN)


def _list_of(group: str) -> Path:
    return GROUPS / f"{group}.txt"


def _hashes() -> dict[str, str]:
    if not _HASHES.exists():
        return {}
    pairs = (line.split() for line in _HASHES.read_text("utf-8").splitlines())
    return {file.removesuffix(".txt"): digest for digest, file in pairs}


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
