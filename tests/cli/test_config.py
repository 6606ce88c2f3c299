"""`[tool.zerograd-lint]`: every key is understood or refused with a hint."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from zerograd_lint.cli import run_options
from zerograd_lint.config import pyproject, table
from zerograd_lint.config.settings import Settings

from .conftest import BUGGY, Lint

WRAPPED = """\
import torch
from ours import clear_all, push, apply_update


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch in loader:
        clear_all(optimizer)
        loss = model(batch)
        loss.backward()
        optimizer.step()
"""


def _write(text: str) -> None:
    Path("pyproject.toml").write_text(f"[tool.zerograd-lint]\n{text}\n")


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (
            'slect = ["ZG001"]',
            "unknown key 'slect' in [tool.zerograd-lint]; did you mean 'select'?",
        ),
        ("extend_select = []", "did you mean 'extend-select'?"),
        ('ignore = "ZG001"', "'ignore' in [tool.zerograd-lint] must be a list of strings"),
        ("fix = 1", "must be true or false"),
        ("jobs = 0", "must be a whole number of at least 1"),
        ('select = ["ZG42"]', "unknown rule selector 'ZG42'"),
        ('output-format = "jsn"', "unknown output-format 'jsn'; did you mean 'json'?"),
        ('per-file-ignores = ["a"]', "must be a table of lists of strings"),
        ("select = [", "pyproject.toml: "),
    ],
)
def test_mistakes_are_errors(lint: Lint, line: str, complaint: str) -> None:
    _write(line)
    run = lint("check")
    assert run.status == 2
    assert complaint in run.err
    assert "pyproject.toml" in run.err


def test_selection_and_files(lint: Lint, buggy: Path) -> None:
    _write('ignore = ["ZG001"]')
    assert lint().status == 0
    assert lint("--extend-select", "ZG001").status == 1
    assert lint("--select", "ZG0").status == 1
    _write('select = ["ZG002"]\nextend-select = ["ZG001"]')
    assert lint().status == 1
    _write('extend-exclude = ["train.py"]')
    assert lint().status == 0
    assert lint("train.py").status == 1
    _write('extend-exclude = ["train.py"]\nforce-exclude = true')
    assert lint("train.py").status == 0
    _write('exclude = ["train.py"]')
    assert lint().status == 0
    _write('[tool.zerograd-lint.per-file-ignores]\n"train.py" = ["ZG0"]')
    assert lint().status == 0
    _write('output-format = "json-lines"\njobs = 1')
    assert lint().out.startswith('{"code": "ZG001"')


def test_the_nearest_table_above_holds(lint: Lint, project: Path) -> None:
    _write('ignore = ["ZG001"]')
    (project / "deep" / "er").mkdir(parents=True)
    (project / "deep" / "er" / "a.py").write_text(BUGGY)
    assert lint("deep/er/a.py").status == 0
    (project / "deep" / "pyproject.toml").write_text("[project]\nname = 'zerograd-lint-user'\n")
    assert lint("deep/er/a.py").status == 0
    (project / "deep" / "pyproject.toml").write_text("[tool.zerograd-lint]\n")
    assert lint("deep/er/a.py").status == 1


def test_a_baseline_and_cache_in_the_table_are_relative_to_it(lint: Lint, project: Path) -> None:
    (project / "sub").mkdir()
    (project / "sub" / "a.py").write_text(BUGGY)
    lint("--write-baseline", "known.json")
    _write('baseline = "known.json"\ncache-dir = ".cache"')
    os.chdir("sub")
    assert lint("a.py").status == 0
    assert (project / ".cache").is_dir()


def test_settings_for_a_file(project: Path) -> None:
    assert pyproject.nearest(str(project)).settings() == Settings()
    _write('extend-select = ["ZG901"]\nzeroing-helpers = ["ours.clear_all"]')
    expected = Settings(extend_select=("ZG901",), zeroing_helpers=("ours.clear_all",))
    assert pyproject.nearest(str(project / "sub")).settings() == expected
    _write('backward-functions = ["push"]\nstep-functions = ["go"]\nself-zeroing-classes = ["E"]')
    os.utime("pyproject.toml", (1, 1))
    settings = pyproject.nearest(str(project)).settings()
    assert (settings.backward_functions, settings.step_functions) == (("push",), ("go",))
    assert settings.self_zeroing_classes == ("E",)


def test_a_projects_own_words_reach_the_rules(lint: Lint, project: Path) -> None:
    Path("a.py").write_text(WRAPPED.replace("        clear_all(optimizer)\n", ""))
    assert lint().codes() == ["a.py:10 ZG001"]
    Path("a.py").write_text(WRAPPED)
    _write('zeroing-helpers = ["clear_all"]')
    assert lint().status == 0


def test_a_projects_own_backward_opens_the_gate(lint: Lint, project: Path) -> None:
    text = BUGGY.replace("loss.backward()", "push(loss)")
    Path("a.py").write_text(text)
    assert lint("-v").err.count("0 can train") == 1
    _write('backward-functions = ["ours.push"]')
    assert lint("-v").err.count("1 can train") == 1


def test_every_key_is_an_option_or_a_projects_own_word() -> None:
    own_words = {key for key in table.KEYS if key.endswith(("helpers", "functions", "classes"))}
    options = {*run_options.KEYS, "per-file-ignores", "required-version", "src"}
    assert set(table.KEYS) == options | own_words
