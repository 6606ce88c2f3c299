"""What the package index offers: the names of projects, and the files of one, with their hashes."""

from __future__ import annotations

import functools
import json
import os
import re
import subprocess
import sys
import urllib.parse
import urllib.request
from dataclasses import dataclass

from pip._vendor.packaging.utils import (
    InvalidSdistFilename,
    InvalidWheelFilename,
    canonicalize_name,
    parse_sdist_filename,
    parse_wheel_filename,
)
from pip._vendor.packaging.version import InvalidVersion, Version
from pip._vendor.urllib3 import PoolManager
from pip._vendor.urllib3.exceptions import HTTPError

_LINK = re.compile(r'<a[^>]*href="(?P<url>[^"]+)"[^>]*>(?P<file>[^<]+)</a>')
_SHA256 = "sha256="
_REQUIRED_NAME = re.compile(r"[\w.-]+")
_OK = 200


@dataclass(frozen=True, slots=True)
class Distribution:
    """One file of a project on the index."""

    file: str
    url: str
    sha256: str

    @property
    def version(self) -> Version | None:
        """None for eggs, installers and names that no standard describes."""
        try:
            if self.file.endswith(".whl"):
                return parse_wheel_filename(self.file)[1]
            return parse_sdist_filename(self.file)[1]
        except (InvalidSdistFilename, InvalidWheelFilename, InvalidVersion):
            return None


def names() -> list[str]:
    """Every project on the index."""
    links = re.findall(r'href="(?:[^"]*/)?([^"/]+)/"', _page(""))
    return sorted({canonicalize_name(name) for name in links})


def distributions(project: str) -> list[Distribution]:
    """The files of a project, oldest first as the index lists them."""
    path = f"{canonicalize_name(project)}/"
    found = []
    for link in _LINK.finditer(_page(path)):
        url, _, fragment = urllib.parse.urljoin(_url(path), link["url"]).partition("#")
        found.append(Distribution(link["file"].strip(), url, fragment.removeprefix(_SHA256)))
    return found


def required(project: str) -> set[str]:
    """What the newest release of a project requires, extras too; nothing if it does not say."""
    url = f"{_index().rstrip('/').removesuffix('/simple')}/pypi/{project}/json"
    try:
        answer = _connections().request("GET", url, timeout=60)
    except HTTPError as error:
        raise OSError(f"{project}: {error}") from error
    listed = json.loads(answer.data)["info"]["requires_dist"] if answer.status == _OK else None
    names = (_REQUIRED_NAME.match(requirement) for requirement in listed or ())
    return {canonicalize_name(name[0]) for name in names if name}


def chosen(files: list[Distribution], version: str | None = None) -> Distribution | None:
    """The file to read of one release, the newest that is final unless a version is given.

    An sdist holds tests and examples too; of wheels the one for any machine comes first.
    """
    known = [(file, found) for file in files if (found := file.version) is not None]
    if version is not None:
        wanted = Version(version)
    else:
        final = [found for _, found in known if not found.is_prerelease]
        wanted = max(final or [found for _, found in known], default=Version("0"))
    release = [file for file, found in known if found == wanted and not file.file.endswith(".zip")]
    return min(release, key=lambda file: (_preference(file), file.file), default=None)


def _preference(file: Distribution) -> int:
    if file.file.endswith(".tar.gz"):
        return 0
    return 1 if file.file.endswith("-any.whl") else 2


def _page(path: str) -> str:
    with urllib.request.urlopen(_url(path), timeout=120) as answer:
        return str(answer.read().decode())


def _url(path: str) -> str:
    return f"{_index().rstrip('/')}/{path}"


@functools.cache
def _connections() -> PoolManager:
    """Connections kept open: asking about very many projects would open one for each."""
    return PoolManager(maxsize=32)


@functools.cache
def _index() -> str:
    """The index pip would ask: its settings first, else its own default."""
    if chosen_index := os.environ.get("PIP_INDEX_URL"):
        return chosen_index
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
