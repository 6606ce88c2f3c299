"""Packages that may be drawn: projects of the index whose newest release requires PyTorch."""

from __future__ import annotations

import sys
import urllib.request
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from ..wild import index
from ..wild.download import unpacked
from ..wild.packages import UNSEEN, Package
from .count import training_contents

PYTORCH = {"torch", "torchvision", "lightning", "pytorch-lightning", "accelerate"}
LARGEST_ARCHIVE = 20_000_000
_AT_ONCE = 32
_AHEAD = 1024


def packages(
    folder: Path, order: Callable[[set[str]], list[str]]
) -> Iterator[tuple[str, set[str]]]:
    """The newest release of each project; what has none, or a large one, is passed over."""
    names = order(set(index.names()))
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        for package in _in_order(pool, names, folder):
            if package is None:
                continue
            trains = training_contents(package.name, folder / "src" / package.folder)
            if trains:
                line = f"{package.name}=={package.version} {package.file} {package.sha256}"
                yield line, trains


def _in_order(pool: ThreadPoolExecutor, names: list[str], folder: Path) -> Iterator[Package | None]:
    """The packages of these names; some are fetched ahead, and a slow one holds up no other."""
    waiting: deque[Future[Package | None]] = deque()
    for name in names:
        waiting.append(pool.submit(_unpacked, name, folder))
        if len(waiting) > _AHEAD:
            yield waiting.popleft().result()
    yield from (future.result() for future in waiting)


def _unpacked(name: str, folder: Path) -> Package | None:
    try:
        if not PYTORCH & index.required(name):
            return None
        file = index.chosen(index.distributions(name))
        if file is None or file.version is None or _size(file.url) > LARGEST_ARCHIVE:
            return None
        package = Package(name, str(file.version), file.file, file.sha256, UNSEEN)
        unpacked(package, folder)
    except (OSError, ValueError, EOFError) as error:
        print(f"left out: {name}: {type(error).__name__}: {error}", file=sys.stderr)
        return None
    return package


def _size(url: str) -> int:
    request = urllib.request.Request(url, method="HEAD")
    with urllib.request.urlopen(request, timeout=60) as answer:
        return int(answer.headers.get("Content-Length", 0))
