"""Every command of ours that README and the documentation show is run as it stands there."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from zerograd_lint.cli.commands import COMMANDS

ROOT = Path(__file__).parents[2]
WRITTEN = [
    *sorted((ROOT / "docs").glob("*.md")),
    ROOT / "CONTRIBUTING.md",
    ROOT / "README.md",
    ROOT / "editors" / "vscode" / "README.md",
]
EXAMPLE = "fixtures/ZG001_missing_zero_grad"
PLACEHOLDERS = {"CODE": "ZG001", "PATH": "train.py", "FILE:LINE": "train.py:18", "NAME": "cpu"}
USAGE = re.compile(r"\[[A-Z .]+\]")
"""`[OPTIONS]`, which stands for nothing in particular."""
FENCED = re.compile(r"^```\w*\n(.*?)^```", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"(?:^\s*(?:\$ )?|&& |- )(zerograd-lint(?: .*)?)$", re.MULTILINE)
INLINE = re.compile(r"(?<!`)`((?:zerograd-lint|audit|verify) [^`]+)`")
RUNS_CODE = ("audit", "verify")
NEEDS_MORE = (*RUNS_CODE, "rule")


def shown(document: Path) -> set[str]:
    """The commands in a document's blocks and in its sentences."""
    text = document.read_text(encoding="utf-8")
    found = {line for block in FENCED.findall(text) for line in COMMAND.findall(block)}
    found |= {
        f"zerograd-lint {words}".replace("zerograd-lint zerograd-lint", "zerograd-lint")
        for words in INLINE.findall(FENCED.sub("", text))
    }
    return {" ".join(command.partition(" #")[0].split()) for command in found}


def words_of(command: str) -> list[str]:
    words = shlex.split(USAGE.sub("", command), comments=True)[1:]
    return [PLACEHOLDERS.get(word, word) for word in words]


ALL = sorted({command for document in WRITTEN for command in shown(document)})
WITH_TORCHRUN = [command for command in ALL if "torch.distributed.run" in command]
"""They start many processes, so they are run only once, by `tests/runtime/test_entries.py`."""
HAS_TORCH = importlib.util.find_spec("torch") is not None


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What the commands name: a script, the same as a module and as a notebook, and a fixture."""
    folder = tmp_path / EXAMPLE
    folder.mkdir(parents=True)
    for name in ("bad_textbook_loop.py", "bad_textbook_loop.fixed.py"):
        shutil.copy(ROOT / EXAMPLE / name, folder / name)
    for name in ("train.py", "src/train.py", "package/train.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(folder / "bad_textbook_loop.py", tmp_path / name)
    (tmp_path / "main.py").write_text("import package.train\n")
    source = (folder / "bad_textbook_loop.py").read_text(encoding="utf-8")
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "source": source}
    notebook = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "notebook.ipynb").write_text(json.dumps(notebook))
    (tmp_path / ".zerograd-baseline.json").write_text('{"version": 1, "findings": {}}')
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("command", [each for each in ALL if each not in WITH_TORCHRUN])
def test_it_runs(command: str, workspace: Path) -> None:
    words = words_of(command)
    if len(words) == 1 and words[0] in NEEDS_MORE:
        words.append("--help")  # a mere name in a sentence
    if words[:1] and words[0] in RUNS_CODE and "--help" not in words and not HAS_TORCH:
        pytest.skip("it runs code, which needs torch")
    if words[:1] == ["verify"] and "--help" not in words:
        words[1:1] = ["--jobs", "1"]  # a second server takes longer to start than these to run
    if words == ["audit", "bad_textbook_loop.py"]:
        os.chdir(EXAMPLE)  # as the line says that shows it
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "zerograd_lint", *words],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode in (0, 1), done.stderr
    assert "error:" not in done.stderr


def test_all_commands_are_shown() -> None:
    first = {(words_of(command) or [""])[0] for command in ALL}
    assert COMMANDS.keys() - first == set()
