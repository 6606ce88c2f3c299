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
    from torch.utils import cpp_extension

    if shutil.which(cpp_extension.get_cxx_compiler()) is None:
        return "no C++ compiler is installed, which the second device needs"
    if not cpp_extension.is_ninja_available():
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
    # In a process of its own, because the builder also loads what it has built.
    load = f"load({_CORE!r}, [{str(_SOURCE)!r}], ['-O0'], build_directory={str(work)!r})"
    command = [sys.executable, "-c", f"from torch.utils.cpp_extension import load; {load}"]
    subprocess.run(command, check=True, capture_output=True)
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
