"""Builds the second device, and a folder that makes PyTorch load it when it is on the path."""

from __future__ import annotations

import contextlib
import hashlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

_HERE = Path(__file__).parent
_SOURCE = _HERE / "second_device.cpp"
_CORE = "second_device_core"


def why_not_buildable() -> str | None:
    """Why the device cannot be built on this machine; None if it can."""
    compiler, ninja = _python(
        "from torch.utils import cpp_extension as c",
        "print(c.get_cxx_compiler(), c.is_ninja_available(), sep='\\n')",
    ).splitlines()[-2:]
    if shutil.which(compiler) is None:
        return "no C++ compiler is installed, which the second device needs"
    if ninja != "True":
        return "ninja is not installed, which PyTorch builds extensions with"
    return None


def key() -> str:
    """Changes with the source and with PyTorch, for which a built device holds."""
    import torch

    return hashlib.sha256(_SOURCE.read_bytes() + torch.__version__.encode()).hexdigest()[:16]


def build(folder: Path) -> Path:
    """A folder for PYTHONPATH, made below the given one unless it is there already."""
    site = folder / "site"
    if site.exists():
        return site
    work = folder / "work"
    work.mkdir(parents=True, exist_ok=True)
    _python(
        "from torch.utils.cpp_extension import load",
        f"load({_CORE!r}, [{str(_SOURCE)!r}], ['-O0'], build_directory={str(work)!r})",
    )
    made = Path(tempfile.mkdtemp(dir=folder))
    shutil.copy(work / f"{_CORE}.so", made)
    shutil.copy(_HERE / "backend.py", made / "second_device.py")
    information = made / "second_device-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: second-device\nVersion: 1.0\n"
    )
    (information / "entry_points.txt").write_text("[torch.backends]\nsecond = second_device:load\n")
    with contextlib.suppress(OSError):  # another test process may have been first
        made.rename(site)
    return site


def _python(*lines: str) -> str:
    """What the lines print, run in a process of their own.

    PyTorch's builder loads what it has built, and it cannot even be imported where distutils
    came in before setuptools, as other tests of the same process may have made it do.
    """
    command = [sys.executable, "-c", "\n".join(lines)]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout
