"""One ordinary bug among monsters is still reported, by flake8 and by the command."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from .texts import BUG, ODDITIES, TEXTS

# What flake8's own checkers survive: they end the whole run on some of the others.
FOR_FLAKE8 = ("sum", "elif", "list over lines", "strings side by side", "patterns in patterns")


def _write(folder: Path, texts: dict[str, str]) -> None:
    for number, text in enumerate(texts.values()):
        data = text.encode("utf-8", "surrogatepass")
        (folder / f"m{number:02}.py").write_bytes(data)
    (folder / "zz_train.py").write_text(BUG)


def _lines(folder: Path, *command: str) -> tuple[int, list[str]]:
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=folder, capture_output=True, text=True, timeout=300
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout.splitlines()


@pytest.mark.skipif(
    sys.version_info >= (3, 12), reason="flake8's own tokenizing fails on these files there"
)
def test_flake8(tmp_path: Path) -> None:
    _write(tmp_path, ODDITIES | {name: BUG + TEXTS[name](150) + "\n" for name in FOR_FLAKE8})
    _, lines = _lines(tmp_path, "flake8", "--isolated", "--select=ZG", "-j1", ".")
    assert [line for line in lines if "zz_train.py:8:5: ZG001 " in line]
    assert not [line for line in lines if "internal error" in line], lines


@pytest.mark.skipif(sys.platform == "win32", reason="needs CPU timers")
def test_the_command(tmp_path: Path) -> None:
    monsters = {name: BUG + make(1_000) + "\n" for name, make in TEXTS.items()}
    _write(tmp_path, ODDITIES | monsters)
    status, lines = _lines(
        tmp_path, "zerograd_lint", "check", "--isolated", "--no-cache", "-j1", "."
    )
    assert status == 2
    assert [line for line in lines if line.startswith("zz_train.py:8:5: ZG001 ")], lines
    assert not [line for line in lines if "internal error" in line or "crashed" in line], lines
