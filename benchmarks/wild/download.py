"""Bring a pinned package here without running any of its code: find, fetch, verify, unpack."""

from __future__ import annotations

import hashlib
import shutil
import tarfile
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path

from ..clones import KEPT, ROOT_MARKERS
from . import index
from .packages import Package


def unpacked(package: Package, cache: Path) -> Path:
    """The folder with the package's Python files, downloaded if it is not there yet.

    `pip download` would run an sdist's build script to learn its metadata; reading the index page
    and unpacking the archive runs nothing.
    """
    folder = cache / "src" / package.folder
    if folder.is_dir():
        return folder
    archive = _archive(package, cache / "dist")
    partial = folder.with_name(folder.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    for name, data in _members(archive):
        target = partial / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    partial.rename(folder)
    return folder


def _archive(package: Package, folder: Path) -> Path:
    path = folder / package.file
    if not (path.is_file() and _sha256(path.read_bytes()) == package.sha256):
        with urllib.request.urlopen(_url(package), timeout=300) as answer:
            data: bytes = answer.read()
        if _sha256(data) != package.sha256:
            raise ValueError(f"{package.file} is not the file this table was made from")
        folder.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return path


def _url(package: Package) -> str:
    """Where the package index says the file is."""
    for file in index.distributions(package.name):
        if file.file == package.file:
            return file.url
    raise ValueError(f"the index has no {package.file}")


def _members(archive: Path) -> Iterator[tuple[str, bytes]]:
    """Python files, notebooks and what marks a root, sdists without their top folder."""
    if archive.suffix == ".gz":
        with tarfile.open(archive) as tar:
            for member in tar:
                opened = tar.extractfile(member) if member.isfile() else None
                if opened is not None and _is_kept(member.name):
                    yield _inside(member.name.partition("/")[2]), opened.read()
    else:
        with zipfile.ZipFile(archive) as wheel:
            for name in wheel.namelist():
                if _is_kept(name):
                    yield _inside(name), wheel.read(name)


def _is_kept(name: str) -> bool:
    return name.endswith(KEPT) or name.rpartition("/")[2] in ROOT_MARKERS


def _inside(name: str) -> str:
    """The name of a member; nothing may leave the folder."""
    if name.startswith("/") or ".." in name.split("/"):
        raise ValueError(f"refused to unpack {name!r}")
    return name


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
