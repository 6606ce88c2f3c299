"""The VS Code extension is type-checked, tested and packaged, where npm and its registry are there.

What it does inside VS Code is seen by `npm run test:vscode`, which needs a VS Code to run in.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from .client import ROOT

NPM = shutil.which("npm")


def npm(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    assert NPM is not None
    return subprocess.run(
        [NPM, *words],
        cwd=folder,
        env={**os.environ, "ZEROGRAD_PYTHON": sys.executable},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


@pytest.mark.skipif(NPM is None, reason="npm is not installed")
def test_the_extension_is_built_from_scratch(tmp_path: Path) -> None:
    folder = tmp_path / "editors" / "vscode"
    left_out = shutil.ignore_patterns("node_modules", "dist")
    shutil.copytree(ROOT / "editors" / "vscode", folder, ignore=left_out)
    for name in ("LICENSE", "zerograd_lint/__init__.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    installed = npm(folder, "ci", "--no-audit", "--no-fund")
    if installed.returncode:
        pytest.skip(f"npm ci failed: {installed.stderr.strip().splitlines()[-1:]}")
    tested = npm(folder, "test")
    assert tested.returncode == 0, tested.stdout + tested.stderr
    packaged = npm(folder, "run", "package")
    assert packaged.returncode == 0, packaged.stdout + packaged.stderr
    (vsix,) = (folder / "dist").glob("*.vsix")
    names = {Path(name).name for name in zipfile.ZipFile(vsix).namelist()}
    assert {"extension.js", "package.json", "readme.md", "LICENSE.txt", "icon.png"} <= names
