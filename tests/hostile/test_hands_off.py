"""Linting reads. It imports, executes and writes nothing, and reaches for nothing outside."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fixture_files import programs

from .texts import BUG, ODDITIES, TEXTS

RUNNER = Path(__file__).with_name("watched_run.py")
EAGER = f"""\
import os, pathlib


def leave_a_mark(function=None):
    pathlib.Path(os.environ["THE_MARK"]).touch()
    return function


leave_a_mark()


@leave_a_mark
def helper(default=leave_a_mark()) -> leave_a_mark():
    pass


class Meta(type):
    leave_a_mark()


{BUG}
"""
"""Leaves a mark as soon as any of it runs."""
WANTED_BY_OTHERS = (
    *("__init__", "__main__", "conftest", "setup", "sitecustomize", "usercustomize"),
    *("torch", "libcst", "json", "tokenize", "tomllib", "dataclasses", "linecache", "resource"),
)
"""Names that some tool or import might pick up."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "linted"
    folder.mkdir()
    for name in WANTED_BY_OTHERS:
        (folder / f"{name}.py").write_text(EAGER)
    (folder / "setup.cfg").write_text("[flake8]\n")
    (folder / "pyproject.toml").write_text("[tool.zerograd-lint]\n")
    for number, path in enumerate(programs()[::12]):
        (folder / f"fixture_{number}.py").write_text(path.read_text())
    return folder


def watched(folder: Path, cwd: Path, *command: str) -> tuple[int, list[str], str]:
    """A linter's exit status, what it did beyond reading, and what it printed."""
    report = folder.parent / "report"
    done = subprocess.run(
        [sys.executable, "-B", str(RUNNER), str(folder), str(report), *command],
        cwd=cwd,
        env={**os.environ, "THE_MARK": str(folder.parent / "mark")},
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, report.read_text().splitlines(), done.stdout


def new_files(folder: Path, before: set[Path]) -> set[str]:
    return {path.name for path in set(folder.parent.rglob("*")) - before}


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_command(folder: Path, jobs: str) -> None:
    """It stands in the very folder it checks."""
    for number, text in enumerate(ODDITIES.values()):
        data = text.encode("utf-8", "surrogatepass")
        (folder / f"odd_{number}.py").write_bytes(data)
    for number, make in enumerate(TEXTS.values()):
        (folder / f"monster_{number}.py").write_text(f"{BUG}{make(300)}\n")
    before = set(folder.parent.rglob("*"))
    command = ("check", "--no-cache", f"-j{jobs}", "--output-format=concise", ".")
    status, seen, output = watched(folder, folder, "zerograd_lint", *command)
    assert seen == []
    assert new_files(folder, before) == {"report"}
    assert status == 2
    line = EAGER.count("\n", 0, EAGER.index("optimizer.step()")) + 1
    for name in WANTED_BY_OTHERS:
        assert f"{name}.py:{line}:5: ZG001 " in output


@pytest.mark.parametrize("form", ["full", "json", "sarif", "junit"])
def test_reports(folder: Path, form: str) -> None:
    command = ("check", "--no-cache", f"--output-format={form}", "torch.py", "json.py")
    status, seen, output = watched(folder, folder, "zerograd_lint", *command)
    assert seen == []
    assert status == 1
    assert "ZG001" in output


def test_the_flake8_plugin(folder: Path) -> None:
    """From outside: flake8 itself would load what lies in the folder it stands in."""
    before = set(folder.parent.rglob("*"))
    command = ("flake8", "--isolated", "--select=ZG", "-j1", str(folder))
    status, seen, output = watched(folder, folder.parent, *command)
    assert seen == []
    assert new_files(folder, before) == {"report"}
    assert status == 1
    for name in WANTED_BY_OTHERS:
        assert f"{name}.py:" in output


def test_the_watch_sees_what_happens(folder: Path) -> None:
    """Something that does run the code, and writes, and calls out."""
    (folder / "linter.py").write_text(
        "import socket\nopen('x', 'w').close()\nsocket.socket().close()\n"
        "compile(open('setup.py').read(), 'setup.py', 'exec')\n"
        "try:\n    import torch\nexcept AttributeError:\n    pass\n"
    )
    before = set(folder.parent.rglob("*"))
    _, seen, _ = watched(folder, folder, "linter")
    assert new_files(folder, before) == {"report", "mark", "x"}
    told = {line.split()[0] for line in seen}
    assert told >= {"executes", "opens", "compiles", "socket.__new__"}
