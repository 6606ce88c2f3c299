"""`python -m benchmarks.wild.pin NAME[==VERSION] ...`: the rows that pin packages in the table."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

from . import index
from .packages import SEEN, Package


def pin(requirement: str, split: str = SEEN) -> Package | None:
    """The release, known by the hash the index states; None if it has no such file."""
    name, _, version = requirement.partition("==")
    file = index.chosen(index.distributions(name), version or None)
    if file is None or file.version is None:
        return None
    return Package(name, str(file.version), file.file, file.sha256, split)


def row(package: Package) -> str:
    """The package as an entry of `packages.toml`."""
    fields = ("name", "version", "file", "sha256", "split")
    return "\n".join(["[[package]]", *(f'{f} = "{getattr(package, f)}"' for f in fields), ""])


def main(requirements: list[str]) -> int:
    with ThreadPoolExecutor(8) as pool:
        pinned = list(pool.map(pin, requirements))
    for requirement, package in zip(requirements, pinned, strict=True):
        if package is None:
            print(f"{requirement}: the index has no such release", file=sys.stderr)
        else:
            print(row(package))
    return 1 if None in pinned else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
