"""Running the real command line, and looking for what it leaves behind."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path


def command(*words: str | Path) -> list[str]:
    return [sys.executable, "-m", "zerograd_lint", *map(str, words)]


def run(
    *words: str | Path, temporary: Path | None = None, plugins: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """In an empty folder: `verify` copies the one that it stands in for every run."""
    with tempfile.TemporaryDirectory() as empty:
        return subprocess.run(
            command(*words),
            capture_output=True,
            text=True,
            env=environment(temporary, plugins),
            cwd=empty,
            timeout=900,
        )


def environment(temporary: Path | None, plugins: Path | None = None) -> dict[str, str]:
    """With a folder for temporary files of its own, so that leftovers can be found."""
    variables = {**os.environ, "OMP_NUM_THREADS": "1"}
    if plugins is not None:
        paths = (str(plugins), variables.get("PYTHONPATH"))
        variables["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    if temporary is not None:
        variables["TMPDIR"] = str(temporary)
        variables["ZEROGRAD_LINT_CACHE_DIR"] = str(temporary / "cache")
    return variables


def leftovers(temporary: Path) -> list[str]:
    """Our own files; torch keeps a cache of its own there, which is not ours to remove."""
    return [path.name for path in temporary.iterdir() if path.name.startswith("zerograd")]


def processes_in(temporary: Path) -> list[int]:
    """The processes that still run with this folder, or one in it, for temporary files."""
    wanted = f"TMPDIR={temporary}".encode()
    found = []
    for entry in Path("/proc").glob("[0-9]*/environ"):
        try:
            variables = entry.read_bytes().split(b"\0")
            if any(each == wanted or each.startswith(wanted + b"/") for each in variables):
                found.append(int(entry.parent.name))
        except OSError:
            continue
    return found
