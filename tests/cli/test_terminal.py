"""On a terminal: colours, the full format, progress that leaves no trace, and an interrupt."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from zerograd_lint.cli import terminal
from zerograd_lint.cli.main import main

from .conftest import BUGGY, FIXED

pty = pytest.importorskip("pty", reason="needs a pseudo-terminal")


def _on_a_terminal(*arguments: str, **environment: str) -> str:
    """Everything the command prints when both its outputs are a terminal."""
    controller, screen = pty.openpty()
    command = [sys.executable, "-m", "zerograd_lint", *arguments]
    process = subprocess.Popen(
        command, stdout=screen, stderr=screen, env={**os.environ, "TERM": "xterm", **environment}
    )
    os.close(screen)
    shown = b""
    while True:
        try:
            piece = os.read(controller, 65536)
        except OSError:  # Linux says so when the other side is closed
            break
        if not piece:
            break
        shown += piece
    os.close(controller)
    process.wait()
    return shown.decode().replace("\r\n", "\n")


def test_the_full_format_in_colour_is_the_default(buggy: Path) -> None:
    shown = _on_a_terminal("check")
    assert "\x1b[1;31mZG001\x1b[0m" in shown
    assert "Found 1 error." in shown
    plain = _on_a_terminal("check", NO_COLOR="1")
    assert "\x1b[" not in plain
    assert " --> train.py:9:9" in plain


def test_progress_is_drawn_and_wiped_away(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terminal, "_PATIENCE", 0.0)
    monkeypatch.setattr(terminal, "_PACE", 0.0)
    progress = terminal.CheckProgress()
    progress.show(0, 1500)
    progress.show(3, 20)
    progress.clear()
    err = capfd.readouterr().err
    assert [part for part in re.split(r"\r|\x1b\[K", err) if part] == [
        "looking at 1500 files",
        "checking 3/20",
    ]
    assert err.endswith("\r\x1b[K")


def test_a_short_run_shows_no_progress(buggy: Path) -> None:
    shown = _on_a_terminal("check", "--output-format", "concise")
    assert shown.startswith("\x1b[1mtrain.py\x1b[0m:9:9: \x1b[1;31mZG001\x1b[0m ")


def test_an_interrupt_in_the_middle_of_an_import_is_no_bug(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Impatient:
        def __set_name__(self, owner: type, name: str) -> None:
            raise KeyboardInterrupt

    def making_a_class(arguments: list[str]) -> int:
        return len(type("Made", (), {"part": Impatient()}).__name__)

    monkeypatch.setattr("zerograd_lint.cli.main._dispatch", making_a_class)
    assert main(["check"]) == 130
    assert capsys.readouterr().err == "interrupted\n"


def test_an_interrupt_ends_the_run_and_its_workers(project: Path) -> None:
    for number in range(300):
        (project / f"m{number}.py").write_text(BUGGY * 20)
    process = subprocess.Popen(
        [sys.executable, "-m", "zerograd_lint", "check", "--no-cache", "-j", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        text=True,
    )
    time.sleep(1.5)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=30)
    if process.returncode != 1:  # a fast machine may have been done
        assert process.returncode == 130
        assert err == "interrupted\n"
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


def test_watching_checks_again_after_every_change(project: Path, buggy: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "zerograd_lint", "check", "--watch", "."],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None

    def shown() -> str:
        """What is printed up to the next pause."""
        assert process.stdout is not None
        lines = []
        for line in process.stdout:
            if line == "Watching for changes; Ctrl-C ends it.\n":
                return "".join(lines)
            lines.append(line)
        raise AssertionError("it has ended: " + "".join(lines))

    try:
        assert "Found 1 error.\n" in shown()
        buggy.write_text(FIXED)
        assert shown() == "All checks passed!\n"
        (project / "new.py").write_text(BUGGY)
        assert shown().startswith("new.py:9:9: ZG001 ")
        (project / "pyproject.toml").write_text("[tool.zerograd-lint]\nignore = 3\n")
        assert "error: " in shown()
        (project / "pyproject.toml").write_text('[tool.zerograd-lint]\nignore = ["ZG001"]\n')
        assert shown() == "All checks passed!\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=10) == 0
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def test_what_cannot_be_watched(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for other in ("-", "--add-noqa", "--write-baseline=x"):
        assert main(["check", "--watch", other]) == 2
        assert "--watch" in capsys.readouterr().err
