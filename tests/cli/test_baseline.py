"""A baseline reports only what is new, however lines move."""

from __future__ import annotations

import json
import os
from pathlib import Path

from .conftest import BUGGY, FIXED, Lint

SECOND = BUGGY.replace("def train", "def train_again").removeprefix("import torch\n")


def test_known_findings_are_not_reported(lint: Lint, buggy: Path) -> None:
    run = lint("--write-baseline", "known.json")
    assert run.status == 0
    assert "Wrote 1 finding to known.json." in run.err
    content = json.loads(Path("known.json").read_text())
    assert content["findings"] == {"train.py": [{"code": "ZG001", "line": "optimizer.step()"}]}
    assert lint("--baseline", "known.json").status == 0


def test_moved_lines_stay_known_and_new_ones_are_new(lint: Lint, buggy: Path) -> None:
    lint("--write-baseline", "known.json")
    buggy.write_text("# moved\n\n\n" + BUGGY)
    assert lint("--baseline", "known.json").status == 0
    buggy.write_text(BUGGY + SECOND)
    assert len(lint().lines) == 2
    assert lint("--baseline", "known.json").codes() == ["train.py:17 ZG001"]
    Path("other.py").write_text(BUGGY)
    assert len(lint("--baseline", "known.json").lines) == 2


def test_paths_belong_to_the_baselines_folder(lint: Lint, project: Path) -> None:
    (project / "src").mkdir()
    (project / "src" / "a.py").write_text(BUGGY)
    lint("--write-baseline", "known.json", "src")
    assert lint("--baseline", "known.json", str(project / "src")).status == 0
    os.chdir("src")
    assert lint("--baseline", "../known.json").status == 0


def test_a_file_that_is_no_baseline_is_an_error(lint: Lint, buggy: Path) -> None:
    for content in ("", "[]", "{}", '{"version": 1, "findings": [1]}'):
        Path("known.json").write_text(content)
        run = lint("--baseline", "known.json")
        assert (run.status, run.out) == (2, "")
        assert "known.json is not a baseline: write one with --write-baseline\n" in run.err
    Path("known.json").write_text('{"version": 9, "findings": {}}')
    assert "is a baseline of another version" in lint("--baseline", "known.json").err
    assert lint("--baseline", "missing.json").status == 2


def test_entries_that_are_gone_are_named(lint: Lint, buggy: Path) -> None:
    buggy.write_text(BUGGY + SECOND)
    Path("other.py").write_text(BUGGY)
    Path("deleted.py").write_text(BUGGY)
    lint("--write-baseline", "known.json")
    assert lint("--baseline", "known.json").err == ""
    buggy.write_text(FIXED + SECOND)
    Path("other.py").write_text("print('no longer trains')\n")
    Path("deleted.py").unlink()
    run = lint("--baseline", "known.json")
    assert run.status == 0
    assert run.err.splitlines() == [
        "3 entries of known.json no longer found; write it anew with --write-baseline:",
        "  deleted.py: ZG001 optimizer.step()",
        "  other.py: ZG001 optimizer.step()",
        "  train.py: ZG001 optimizer.step()",
    ]
    assert lint("--baseline", "known.json", "-q").err == ""
    assert "train.py" not in lint("--baseline", "known.json", "other.py").err


def test_a_renamed_file_keeps_its_known_findings(lint: Lint, buggy: Path) -> None:
    lint("--write-baseline", "known.json")
    Path("src").mkdir()
    buggy.rename("src/training.py")
    for _ in range(2):
        run = lint("--baseline", "known.json")
        assert (run.status, run.err) == (0, "")
    # Which of the two it was is no longer clear, unless one has kept the name.
    Path("src/second.py").write_text(BUGGY)
    assert len(lint("--baseline", "known.json").lines) == 2
    Path("src/second.py").rename("src/train.py")
    assert lint("--baseline", "known.json").codes() == ["src/training.py:9 ZG001"]


def test_a_renamed_notebook_keeps_its_known_findings(lint: Lint, project: Path) -> None:
    source = BUGGY.replace("optimizer.step()", 'print("é"); optimizer.step()')
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "source": source.splitlines(True)}
    notebook = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    Path("a.ipynb").write_text(json.dumps(notebook))
    lint("--write-baseline", "known.json")
    Path("a.ipynb").rename("b.ipynb")
    assert lint("--baseline", "known.json").status == 0


def test_a_folder_is_no_baseline(lint: Lint, buggy: Path) -> None:
    run = lint("--write-baseline", ".")
    assert run.status == 2
    assert ". is a folder; a baseline is a file" in run.err
    assert [path.name for path in buggy.parent.iterdir()] == [buggy.name]
