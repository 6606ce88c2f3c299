"""Neovim's own client, headless: diagnostics, hover, and a code action applied to the buffer."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ..cli.conftest import BUGGY, FIXED
from .client import ROOT

NEOVIM = shutil.which("nvim")
SPELLED = '        "😀é"; optimizer.step()'


@pytest.mark.skipif(NEOVIM is None, reason="nvim is not installed")
def test_diagnostics_and_an_applied_fix(tmp_path: Path) -> None:
    assert NEOVIM is not None
    (tmp_path / "train.py").write_text(
        BUGGY.replace("        optimizer.step()", SPELLED), encoding="utf-8"
    )
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "LC_ALL": "C.UTF-8",
        "ZEROGRAD_PYTHON": sys.executable,
        "ZEROGRAD_SEEN": str(tmp_path / "seen.json"),
    }
    script = Path(__file__).with_name("neovim.lua")
    subprocess.run(
        [NEOVIM, "--headless", "-u", "NONE", "-n", "train.py", "-c", f"luafile {script}"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        timeout=120,
        check=True,
    )
    seen = json.loads((tmp_path / "seen.json").read_text(encoding="utf-8"))
    assert seen.get("error") is None
    assert seen["arrived"]
    (diagnostic,) = seen["diagnostics"]
    assert diagnostic["code"] == "ZG001"
    # Neovim counts bytes, the protocol UTF-16: both mean the same place.
    place = len(SPELLED[: SPELLED.index("optimizer")].encode())
    assert (diagnostic["lnum"], diagnostic["col"]) == (8, place)
    assert seen["hover"].startswith("**ZG001**")
    assert (
        seen["offered"][0]
        == "ZG001: Insert `optimizer.zero_grad()` before the backward (unsafe fix)"
    )
    assert seen["applied"]
    assert seen["cleared"]
    expected = FIXED.replace("        optimizer.step()", SPELLED)
    assert seen["buffer"] == expected.splitlines()
    assert seen["back"]
    assert seen["moved"]
