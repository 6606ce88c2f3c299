"""Helix in a terminal, set up as documented: a diagnostic, and a code action applied."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ..cli.conftest import BUGGY, FIXED
from .client import WAIT
from .documented import configuration, with_command

HELIX = shutil.which("hx") or shutil.which("helix")
TMUX = shutil.which("tmux")
STEP = BUGGY.splitlines().index("        optimizer.step()") + 1


class Terminal:
    """A terminal with a program in it, seen and typed into from outside."""

    def __init__(self, folder: Path) -> None:
        self._tmux = [str(TMUX), "-S", str(folder / "socket"), "-f", os.devnull]

    def _run(self, *words: str) -> str:
        return subprocess.run(
            [*self._tmux, *words], capture_output=True, text=True, check=True, timeout=WAIT
        ).stdout

    def start(self, *command: str, cwd: Path, environment: dict[str, str]) -> None:
        changed = [f"{n}={v}" for n, v in environment.items() if os.environ.get(n) != v]
        self._run(
            "new-session", "-d", "-x", "150", "-y", "40", "-c", str(cwd), "env", *changed, *command
        )

    def type(self, *keys: str) -> None:
        self._run("send-keys", *keys)

    def wait_for(self, words: str) -> str:
        """The screen once it shows some words."""
        return until(lambda: self.screen if words in self.screen else "", words)

    @property
    def screen(self) -> str:
        return self._run("capture-pane", "-p")

    def stop(self) -> None:
        subprocess.run([*self._tmux, "kill-server"], capture_output=True)


def until(look: Callable[[], str], what: str) -> str:
    end = time.monotonic() + WAIT
    while not (seen := look()):
        assert time.monotonic() < end, f"no {what}"
        time.sleep(0.1)
    return seen


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    terminal = Terminal(tmp_path)
    yield terminal
    terminal.stop()


@pytest.mark.skipif(HELIX is None or TMUX is None, reason="helix or tmux is not installed")
def test_a_diagnostic_and_an_applied_fix(terminal: Terminal, tmp_path: Path) -> None:
    settings = tmp_path / "config" / "helix" / "languages.toml"
    settings.parent.mkdir(parents=True)
    # One that is not installed would only be said to be missing.
    settings.write_text(configuration("Helix", "toml").replace('"ruff", ', ""), encoding="utf-8")
    program = tmp_path / "train.py"
    program.write_text(BUGGY, encoding="utf-8")
    environment = {
        **with_command(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "TERM": "xterm-256color",
    }
    terminal.start(str(HELIX), f"train.py:{STEP}", cwd=tmp_path, environment=environment)
    terminal.wait_for("nothing zeroes 'optimizer' in between")
    terminal.type("Space", "a")
    terminal.wait_for("ZG001: Insert `optimizer.zero_grad()` before the backward (unsafe fix)")
    terminal.type(
        "Enter", "Enter"
    )  # Helix marks nothing at first: the one chooses, the other takes
    terminal.wait_for("        optimizer.zero_grad()\n")
    terminal.type(":", "w", "q", "Enter")
    until(lambda: program.read_text(encoding="utf-8").replace(BUGGY, ""), "file that was saved")
    assert program.read_text(encoding="utf-8") == FIXED
