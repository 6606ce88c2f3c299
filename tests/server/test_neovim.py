"""Neovim's own client, headless: diagnostics, hover, and a code action applied to the buffer."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from ..cli.conftest import BUGGY, FIXED
from .documented import configuration, with_command

NEOVIM = shutil.which("nvim")
SPELLED = '        "😀é"; optimizer.step()'


def version() -> tuple[int, ...]:
    if NEOVIM is None:
        return ()
    said = subprocess.run([NEOVIM, "--version"], capture_output=True, text=True).stdout
    return tuple(map(int, re.findall(r"\d+", said)[:2]))


NEWEST = pytest.param(0, id="0.11", marks=pytest.mark.skipif(version() < (0, 11), reason="older"))
NEWER = pytest.param(1, id="0.8", marks=pytest.mark.skipif(version() < (0, 8), reason="older"))
OLD = pytest.param(2, id="0.7", marks=pytest.mark.skipif(version() != (0, 7), reason="newer"))


@pytest.mark.skipif(NEOVIM is None, reason="nvim is not installed")
@pytest.mark.parametrize("block", [NEWEST, NEWER, OLD])
def test_diagnostics_and_an_applied_fix(tmp_path: Path, block: int) -> None:
    """`block` is the part of the documentation that it is set up with."""
    assert NEOVIM is not None
    settings = tmp_path / "init.lua"
    settings.write_text(configuration("Neovim", "lua", block), encoding="utf-8")
    (tmp_path / "train.py").write_text(
        BUGGY.replace("        optimizer.step()", SPELLED), encoding="utf-8"
    )
    environment = {
        **with_command(tmp_path),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "ZEROGRAD_SEEN": str(tmp_path / "seen.json"),
    }
    script = Path(__file__).with_name("neovim.lua")
    subprocess.run(
        [NEOVIM, "--headless", "-u", str(settings), "-n", "train.py", "-c", f"luafile {script}"],
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
