"""A baseline reports only what is new, however lines move."""

from __future__ import annotations

import json
import os
from pathlib import Path

from .conftest import BUGGY, Lint

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
    for content in ("", "[]", '{"version": 9, "findings": {}}', '{"version": 1, "findings": [1]}'):
        Path("known.json").write_text(content)
        run = lint("--baseline", "known.json")
        assert (run.status, run.out) == (2, "")
        assert "is not a baseline" in run.err
    assert lint("--baseline", "missing.json").status == 2
