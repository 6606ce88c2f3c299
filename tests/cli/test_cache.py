"""The cache answers only for exactly the same question, and never gets in the way."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import zerograd_lint
from zerograd_lint.config import cache as cache_module
from zerograd_lint.config.cache import Cache
from zerograd_lint.config.settings import Settings

from .conftest import BUGGY, FIXED, Lint


def _entries(project: Path) -> list[Path]:
    folder = project.parent / "cache" / "zerograd-lint"
    return [path for path in folder.glob("*/*") if path.is_file()]


def _from_cache(lint: Lint, *arguments: str) -> int:
    err = lint("-v", *arguments).err
    return int(err.rpartition("(")[2].partition(" from cache")[0])


def test_the_second_run_is_answered_from_the_cache(lint: Lint, buggy: Path, project: Path) -> None:
    Path("fine.py").write_text(FIXED)
    first = lint()
    assert len(_entries(project)) == 2
    assert _from_cache(lint) == 2
    assert lint().out == first.out
    full = lint("--output-format", "full", "--no-cache").out
    assert lint("--output-format", "full").out == full


def test_content_and_settings_are_part_of_the_question(
    lint: Lint, buggy: Path, project: Path
) -> None:
    lint()
    assert _from_cache(lint, "--select", "ZG002") == 0
    assert lint("--select", "ZG002").status == 0
    buggy.write_text(FIXED)
    assert lint().status == 0
    buggy.write_text(BUGGY)
    assert lint().status == 1


def test_a_changed_rule_is_another_question(
    buggy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = str(tmp_path / "c")
    key = Cache(folder).key("a.py", "python", b"x", Settings())
    Cache(folder).store(key, [], {})
    assert Cache(folder).load(key) == ([], {})
    monkeypatch.setattr(cache_module, "__version__", "99")
    assert Cache(folder).load(key) == (None, {})
    monkeypatch.undo()
    seen: list[str] = []
    original = os.walk

    def walk(top: str) -> object:
        seen.append(top)
        return [(top, [], ["a_rule_that_is_not_there.py", "__init__.py"])]

    monkeypatch.setattr(os, "walk", walk)
    assert Cache(folder).load(key) == (None, {})
    assert seen
    monkeypatch.setattr(os, "walk", original)
    assert Cache(folder).load(key) == ([], {})


def test_every_file_of_the_linter_is_part_of_the_question(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    monkeypatch.setattr(cache_module, "_add_file", lambda _digest, path: seen.append(path))
    cache_module._tool_fingerprint()
    package = Path(zerograd_lint.__file__).parent
    assert {str(path) for path in package.rglob("*.py")} <= set(seen)
    assert any(Path(path).parts[-2:] == ("libcst", "_version.py") for path in seen)


def test_a_file_that_cannot_be_parsed_is_remembered_as_such(lint: Lint, project: Path) -> None:
    Path("broken.py").write_text("import torch\nloss.backward(\nopt.step()\n")
    first = lint()
    assert _from_cache(lint) == 1
    assert lint() == first
    assert first.status == 2


def test_no_cache_writes_nothing(lint: Lint, buggy: Path, project: Path) -> None:
    assert lint("--no-cache").status == 1
    assert _entries(project) == []


def test_the_cache_can_be_elsewhere(
    lint: Lint, buggy: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lint("--cache-dir", "kept")
    assert len(list(Path("kept").glob("*/*"))) == 1
    monkeypatch.setenv("ZEROGRAD_LINT_CACHE_DIR", str(tmp_path / "env"))
    lint()
    assert len(list((tmp_path / "env").glob("*/*"))) == 1


def test_a_folder_that_cannot_be_written_is_silently_no_cache(lint: Lint, buggy: Path) -> None:
    Path("file").write_text("not a folder")
    run = lint("--cache-dir", "file")
    assert (run.status, run.err) == (1, "")
    run = lint("--cache-dir", "/proc/nothing/here")
    assert (run.status, run.err) == (1, "")


def test_damaged_entries_are_misses(lint: Lint, buggy: Path, project: Path) -> None:
    first = lint()
    packed = b'{"findings": [["ZG001", "name", "message", [1], [], null]]}'
    for content in (b"", b"{}", b"[]", b"7", b'{"findings": 1}', b'{"error": []}', packed, b"\xff"):
        _entries(project)[0].write_bytes(content)
        assert lint().out == first.out


def test_the_folder_does_not_grow_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_module, "_MOST_ENTRIES", 10)
    cache = Cache(str(tmp_path))
    for number in range(12):
        cache.store(f"{number:040}", [], {})
    cache.trim()
    assert len(list(tmp_path.glob("*/*"))) == 6


def test_runs_at_the_same_time_agree(buggy: Path, project: Path) -> None:
    for number in range(20):
        (project / f"m{number}.py").write_text(f"# {number}\n{BUGGY}")
    command = [sys.executable, "-m", "zerograd_lint", "check", "."]
    with ThreadPoolExecutor(4) as pool:
        runs = list(
            pool.map(
                lambda _: subprocess.run(command, capture_output=True, text=True, check=False),
                range(4),
            )
        )
    assert {run.returncode for run in runs} == {1}
    assert len({run.stdout for run in runs}) == 1
    assert not [path for path in _entries(project) if path.suffix == ".tmp"]


def test_a_module_that_appears_later_is_noticed(lint: Lint, project: Path) -> None:
    Path("main.py").write_text(_BY_SETTING)
    Path("helpers.py").write_text("def say(word):\n    print(word)\n")
    assert lint("main.py").status == 0
    Path("settings.py").write_text("MIXED = False\n")
    assert "main.py:17:9: ZG001" in lint("main.py").out
    Path("settings.py").unlink()
    assert lint("main.py").status == 0


_BY_SETTING = """\
import helpers
import torch
from settings import MIXED

model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu")
for epoch in range(8):
    loss = model(torch.randn(16, 4)).square().mean()
    if MIXED:
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
    else:
        loss.backward()
        optimizer.step()
"""
