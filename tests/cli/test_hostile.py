"""No file may crash the run, hold it up, or cost another file its finding."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from zerograd_lint.check import engine, pool
from zerograd_lint.check.task import Task
from zerograd_lint.config.settings import Settings

from .conftest import BUGGY, FIXED, Lint

TRAINS = "import torch\nloss.backward(); opt.step()\n"

HOSTILE: dict[str, bytes] = {
    "brackets.py": (TRAINS + "x = " + "(" * 5000 + ")" * 5000 + "\n").encode(),
    "plus.py": (TRAINS + "x = " + " + ".join(["1"] * 3000) + "\n").encode(),
    "calls.py": (TRAINS + "x" + ".f()" * 2000 + "\n").encode(),
    "elif.py": (TRAINS + "if a: pass\n" + "elif a: pass\n" * 1500).encode(),
    "one_line.py": (TRAINS + "x = [" + "1," * 400_000 + "]\n").encode(),
    "indented.py": (
        TRAINS + "".join("    " * n + "if a:\n" for n in range(120)) + "    " * 120 + "pass\n"
    ).encode(),
    "many_lines.py": (TRAINS + "x = 1\n" * 30_000).encode(),
    "null.py": TRAINS.encode() + b"\0\n",
    "utf16.py": TRAINS.encode("utf-16"),
    "bad_utf8.py": TRAINS.encode() + b"# \xff\xfe\n",
    "bad_coding.py": b"# coding: no-such\n" + TRAINS.encode(),
    "python2.py": TRAINS.encode() + b"print 'x'\n",
    "form_feed.py": b"\x0c" + TRAINS.encode() + b"\x0c\n",
    "empty.py": b"",
    "only_bom.py": b"\xef\xbb\xbf",
    "cr.py": TRAINS.replace("\n", "\r").encode(),
    "separators.py": (TRAINS + "x = '\u2028 \x1c \x85'\n").encode(),
    "unclosed.py": TRAINS.encode() + b"x = (\n",
    "broken.ipynb": b'{"cells": [ zero_grad torch .step( backward(',
    "surrogate.ipynb": b'{"cells": [{"cell_type": "code", "source": "zero_grad\\ud800 torch"}]}',
}


def test_all_at_once_and_the_ordinary_bug_is_found(lint: Lint, project: Path) -> None:
    for name, content in HOSTILE.items():
        (project / name).write_bytes(content)
    (project / "zz_train.py").write_text(BUGGY)
    if hasattr(os, "mkfifo"):
        os.mkfifo("fifo.py")
    Path("dangling.py").symlink_to("nowhere")
    Path("cyclic.py").symlink_to("cyclic.py")
    run = lint("--no-cache", "-j", "2", "--file-timeout", "1")
    assert run.status == 2
    assert [line for line in run.lines if line.startswith("zz_train.py")] == [run.lines[-1]], (
        run.out
    )
    assert " ZG001 " in run.lines[-1]
    assert "internal error" not in run.out
    assert "Traceback" not in run.err
    reported = {line.split(":")[0] for line in run.lines if " ZG000 " in line}
    expected = {"null.py", "bad_utf8.py", "bad_coding.py", "unclosed.py", "broken.ipynb"}
    assert expected <= reported, run.out


@pytest.mark.parametrize(
    "name", [b"new\nline.py", b"sur\xffrogate.py", b"tab\t.py", b"esc\x1b[1m.py"]
)
def test_names_that_would_break_a_line_are_escaped(lint: Lint, project: Path, name: bytes) -> None:
    try:
        Path(os.fsdecode(name)).write_text(BUGGY)
    except OSError:
        pytest.skip("this file system refuses the name")
    for form in ("concise", "full", "json", "sarif", "github", "gitlab", "junit", "rdjson"):
        run = lint("--output-format", form)
        assert run.status == 1, form
        assert "ZG001" in run.out
        assert "\x1b" not in run.out
    assert len(lint().lines) == 1
    assert lint("--fix", "--unsafe-fixes").status == 0
    assert Path(os.fsdecode(name)).read_text() == FIXED


def test_an_unreadable_file_and_folder_get_a_line(
    lint: Lint, buggy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Root can read everything, so the refusal is made where the system would make it."""
    Path("locked").mkdir()
    Path("locked.py").write_text(BUGGY)
    open_file, list_folder = open, os.scandir

    def refusing_open(file: object, *rest: object, **more: object) -> object:
        if str(file) == "locked.py":
            raise PermissionError(13, "Permission denied", "locked.py")
        return open_file(file, *rest, **more)  # type: ignore[call-overload]

    def refusing_scandir(path: str) -> object:
        if path == "locked/":
            raise PermissionError(13, "Permission denied", path)
        return list_folder(path)

    monkeypatch.setattr("builtins.open", refusing_open)
    monkeypatch.setattr(os, "scandir", refusing_scandir)
    run = lint()
    assert run.status == 2
    assert run.lines[0] == "locked.py:1:1: ZG000 cannot read: Permission denied"
    assert " ZG001 " in run.lines[1]
    assert run.lines[2] == "locked/:1:1: ZG000 cannot list folder: Permission denied"


def test_an_internal_error_is_one_line_and_the_rest_goes_on(
    lint: Lint, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "a.py").write_text(BUGGY)
    (project / "b.py").write_text(BUGGY)
    original = engine.check_with_dependencies

    def failing(text: str, filename: str, settings: Settings) -> object:
        if filename == "a.py":
            raise RuntimeError("first line\nsecond line")
        return original(text, filename, settings)

    monkeypatch.setattr(engine, "check_with_dependencies", failing)
    run = lint("--no-cache")
    assert run.status == 2
    assert run.lines[0].startswith(
        "a.py:1:1: ZG000 internal error: RuntimeError: first line second"
    )
    assert run.lines[1].startswith("b.py:9:9: ZG001")
    assert len(run.lines) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="needs CPU timers")
def test_a_runaway_analysis_is_ended(
    lint: Lint, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "a.py").write_text(BUGGY)
    (project / "b.py").write_text(BUGGY)
    original = engine.check_with_dependencies

    def endless(text: str, filename: str, settings: Settings) -> object:
        while filename == "a.py":
            try:
                sum(range(1000))
            except Exception:
                continue
        return original(text, filename, settings)

    monkeypatch.setattr(engine, "check_with_dependencies", endless)
    run = lint("--no-cache", "--file-timeout", "0.5", "-j", "1")
    assert run.status == 2
    assert run.lines[0] == "a.py:1:1: ZG000 gave up: analysis took more than 0.5 s of CPU time"
    assert run.lines[1].startswith("b.py:9:9: ZG001")


def _tasks(count: int) -> list[Task]:
    return [Task(f"m{n}.py", "python", BUGGY.encode(), Settings()) for n in range(count)]


@pytest.mark.skipif(sys.platform != "linux", reason="the fault is planted by forking")
@pytest.mark.parametrize("fault", ["crash", "spin"])
def test_a_worker_that_dies_costs_one_file(monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    """Native code that crashes or spins cannot be interrupted, only outlived."""
    original = engine.check_with_dependencies

    def fatal(text: str, filename: str, settings: Settings) -> object:
        if filename == "m3.py" and fault == "crash":
            os._exit(11)
        if filename == "m3.py":
            signal.signal(signal.SIGPROF, signal.SIG_IGN)
            while True:
                sum(range(1000))
        return original(text, filename, settings)

    monkeypatch.setattr(engine, "check_with_dependencies", fatal)
    monkeypatch.setattr(pool, "_GRACE", 0)
    tasks = [Task(t.path, t.kind, t.data, t.settings, cpu_limit=0.5) for t in _tasks(8)]
    results = dict(pool.run(tasks, jobs=2))
    assert sorted(results) == list(range(8))
    assert [len(results[n].findings) for n in range(8)] == [1, 1, 1, 0, 1, 1, 1, 1]
    reason = {"crash": "the analysis crashed", "spin": "took more than 0.5 s of CPU time"}[fault]
    assert reason in results[3].problems[0].message


@pytest.mark.skipif(sys.platform != "linux", reason="the fault is planted by forking")
@pytest.mark.parametrize("fault", ["silent", "killed"])
def test_a_file_without_a_result_says_why(monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    def lost(text: str, filename: str, settings: Settings) -> object:
        if fault == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(60)
        raise AssertionError

    monkeypatch.setattr(engine, "check_with_dependencies", lost)
    monkeypatch.setattr(pool, "_SILENCE", 0.1)
    [(_, result)] = pool.run(_tasks(1), jobs=1)
    reason = {"silent": "analysis had no result after 0.1 s", "killed": "for want of memory"}[fault]
    assert reason in result.problems[0].message


def test_odd_escapes_in_strings_are_not_our_business(project: Path) -> None:
    (project / "a.py").write_text(FIXED + "x = '\\d'\n")
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "source": FIXED + "x = '\\d'\n"}
    notebook = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (project / "nb.ipynb").write_text(json.dumps(notebook))
    command = [sys.executable, "-W", "always", "-m", "zerograd_lint", "check", "--no-cache", "."]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "All checks passed!\n")
    assert "escape" not in done.stderr


def test_checking_neither_writes_nor_runs_anything(lint: Lint, project: Path) -> None:
    (project / "a.py").write_text(BUGGY + "open('side_effect', 'w')\nraise SystemExit\n")
    before = sorted(path.name for path in project.iterdir())
    assert lint("--no-cache").status == 1
    assert sorted(path.name for path in project.iterdir()) == before
    assert not (project.parent / "cache").exists()
    lint()
    assert sorted(path.name for path in project.iterdir()) == before
