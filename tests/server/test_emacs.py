"""Emacs' own client, in batch: diagnostics, hover, and a code action applied to the buffer."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from ..cli.conftest import BUGGY, FIXED
from .documented import configuration, with_command

EMACS = shutil.which("emacs")
SPELLED = '        "😀é"; optimizer.step()'


def has_eglot() -> bool:
    words = [str(EMACS), "--batch", "--eval", "(require 'eglot)"]
    return EMACS is not None and subprocess.run(words, capture_output=True).returncode == 0


@pytest.mark.skipif(not has_eglot(), reason="emacs with eglot is not installed")
def test_diagnostics_and_an_applied_fix(tmp_path: Path) -> None:
    assert EMACS is not None
    text = BUGGY.replace("        optimizer.step()", SPELLED)
    (tmp_path / "train.py").write_text(text, encoding="utf-8")
    environment = {
        **with_command(tmp_path),
        "HOME": str(tmp_path),
        "ZEROGRAD_SEEN": str(tmp_path / "seen.json"),
    }
    settings = tmp_path / "settings.el"
    settings.write_text(configuration("Emacs", "elisp"), encoding="utf-8")
    script = Path(__file__).with_name("emacs.el")
    subprocess.run(
        [EMACS, "--batch", "-l", str(settings), "-l", str(script)],
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
    assert "nothing zeroes 'optimizer' in between" in diagnostic["message"]
    # Emacs counts characters, the protocol UTF-16: both mean the same place.
    assert text[diagnostic["start"] : diagnostic["end"]] == "optimizer.step()"
    assert "nothing zeroes" in seen["hover"]
    assert (
        seen["offered"][0]
        == "ZG001: Insert `optimizer.zero_grad()` before the backward (unsafe fix)"
    )
    assert seen["buffer"] == FIXED.replace("        optimizer.step()", SPELLED)
    assert seen["cleared"]
