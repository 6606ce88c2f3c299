"""`python -m benchmarks.first_look.draw_packages GROUP --folder F`: draw a group of packages.

Projects of the index whose name has one of `WORDS` are taken in the order of a hash of group and
name, the newest release of each, until enough files train. What was used before is left out.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ..wild import index
from ..wild.download import unpacked
from ..wild.packages import UNSEEN, Package
from .count import training_contents
from .groups import used_projects, write_group

WORDS = re.compile(
    r"torch|neural|diffusion|former|learning|(?:^|-)(?:deep|gnn|vae|nerf|gan|rl|nn|net|nets)(?:-|$)"
)
ENOUGH_TRAINING_FILES = 850
LARGEST_ARCHIVE = 20_000_000
_AT_ONCE = 16


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.first_look.draw_packages")
    parser.add_argument("group")
    parser.add_argument("--folder", type=Path, required=True, help="where packages are unpacked")
    options = parser.parse_args(arguments)
    drawn: list[Package] = []
    contents: set[str] = set()
    for package, trains in _candidates(options.group, options.folder):
        new = trains - contents
        # A fork under another name would show the same code twice.
        if len(new) * 2 > len(trains):
            drawn.append(package)
            contents |= new
            print(f"{len(drawn)} packages, {len(contents)} training files: {package.folder}")
        if len(contents) >= ENOUGH_TRAINING_FILES:
            break
    lines = [f"{p.name}=={p.version} {p.file} {p.sha256}" for p in drawn]
    print(write_group(options.group, lines))
    return 0


def _candidates(group: str, folder: Path) -> Iterator[tuple[Package, set[str]]]:
    """Packages that train, in the order of the draw."""
    used = used_projects()
    names = [name for name in index.names() if WORDS.search(name) and name not in used]
    names.sort(key=lambda name: hashlib.sha256(f"{group}:{name}".encode()).hexdigest())
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        for start in range(0, len(names), _AT_ONCE):
            part = names[start : start + _AT_ONCE]
            for package in pool.map(lambda name: _unpacked(name, folder), part):
                if package is None:
                    continue
                trains = training_contents(package.name, folder / "src" / package.folder)
                if trains:
                    yield package, trains


def _unpacked(name: str, folder: Path) -> Package | None:
    """The newest release, on disk; None if there is none, or none that is small enough."""
    try:
        file = index.chosen(index.distributions(name))
        if file is None or file.version is None or _size(file.url) > LARGEST_ARCHIVE:
            return None
        package = Package(name, str(file.version), file.file, file.sha256, UNSEEN)
        unpacked(package, folder)
    except (OSError, ValueError, EOFError, urllib.error.URLError) as error:
        print(f"left out: {name}: {type(error).__name__}: {error}", file=sys.stderr)
        return None
    return package


def _size(url: str) -> int:
    request = urllib.request.Request(url, method="HEAD")
    with urllib.request.urlopen(request, timeout=60) as answer:
        return int(answer.headers.get("Content-Length", 0))


if __name__ == "__main__":
    sys.exit(main())
