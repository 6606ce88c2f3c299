"""Bring a pinned package here without running any of its code: find, fetch, verify, unpack."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import urllib.parse
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path

from .packages import Package

KEPT = (".py", ".ipynb")
_LINK = re.compile(r'<a[^>]*href="(?P<url>[^"]+)"[^>]*>(?P<file>[^<]+)</a>')


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
    project = re.sub(r"[-_.]+", "-", package.name).lower()
    page_url = f"{_index().rstrip('/')}/{project}/"
    with urllib.request.urlopen(page_url, timeout=120) as answer:
        page: str = answer.read().decode()
    for link in _LINK.finditer(page):
        if link["file"].strip() == package.file:
            return str(urllib.parse.urljoin(page_url, link["url"])).partition("#")[0]
    raise ValueError(f"the index at {page_url} has no {package.file}")


def _index() -> str:
    """The index pip would ask: its settings first, else its own default."""
    chosen = os.environ.get("PIP_INDEX_URL")
    if chosen:
        return chosen
    asked = subprocess.run(
        [sys.executable, "-m", "pip", "config", "get", "global.index-url"],
        capture_output=True,
        text=True,
        check=False,
    )
    if asked.returncode == 0 and asked.stdout.strip():
        return asked.stdout.strip()
    from pip._internal.models.index import PyPI

    return str(PyPI.simple_url)


def _members(archive: Path) -> Iterator[tuple[str, bytes]]:
    """Python files and notebooks, sdists without their top folder; nothing may leave the folder."""
    if archive.suffix == ".gz":
        with tarfile.open(archive) as tar:
            for member in tar:
                opened = tar.extractfile(member) if member.isfile() else None
                if opened is not None and member.name.endswith(KEPT):
                    yield _inside(member.name.partition("/")[2]), opened.read()
    else:
        with zipfile.ZipFile(archive) as wheel:
            for name in wheel.namelist():
                if name.endswith(KEPT):
                    yield _inside(name), wheel.read(name)


def _inside(name: str) -> str:
    if name.startswith("/") or ".." in name.split("/"):
        raise ValueError(f"refused to unpack {name!r}")
    return name


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
