"""Beside ruff: a warning where it would delete our `# noqa` comments, and silence elsewhere."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from zerograd_lint.config.ruff_settings import deleting_file

from .conftest import BUGGY, Lint

COMMENTED = BUGGY.replace("step()", "step()  # noqa: ZG001")
SETTINGS = [
    ('[lint]\nselect = ["RUF"]', True),
    ('[lint]\nselect = ["ALL"]', True),
    ('[lint]\nextend-select = ["RUF102"]', True),
    ('[lint]\nselect = ["RUF"]\nignore = ["RUF102"]', False),
    ('[lint]\nselect = ["RUF102"]\nignore = ["RUF1"]', True),
    ('[lint]\nselect = ["RUF"]\nexternal = ["ZG"]', False),
    ('[lint]\nselect = ["RUF"]\nexternal = ["V101"]', True),
    ('[lint]\nselect = ["E", "RUF100"]', False),
    ("line-length = 100", False),
]


@pytest.mark.parametrize(("settings", "deletes"), SETTINGS)
def test_ruff_itself_agrees(project: Path, settings: str, deletes: bool) -> None:
    (project / "ruff.toml").write_text(settings + "\n")
    (project / "a.py").write_text("x = 1  # noqa: ZG001\n")
    file = deleting_file(str(project))
    assert file == (str(project / "ruff.toml") if deletes else None)
    ruff = Path(sys.executable).with_name("ruff")
    if not ruff.exists():
        pytest.skip("ruff is not installed")
    command = [ruff, "check", "-q", "--no-cache", "--fix", "a.py"]
    subprocess.run(command, check=False, capture_output=True)
    assert ("ZG001" not in (project / "a.py").read_text()) is deletes


def test_the_nearest_file_counts(project: Path) -> None:
    (project / "pyproject.toml").write_text('[tool.ruff.lint]\nselect = ["RUF"]\n')
    inner = project / "src"
    inner.mkdir()
    assert deleting_file(str(inner)) == str(project / "pyproject.toml")
    (inner / "ruff.toml").write_text('extend = "../pyproject.toml"\n[lint]\nexternal = ["ZG"]\n')
    assert deleting_file(str(inner)) is None
    (inner / "ruff.toml").write_text("not toml [\n")
    assert deleting_file(str(inner)) == str(project / "pyproject.toml")


def test_one_warning_where_comments_are(lint: Lint, project: Path) -> None:
    (project / "ruff.toml").write_text('[lint]\nselect = ["RUF"]\n')
    (project / "a.py").write_text(BUGGY)
    assert lint().err == ""
    for name in ("a.py", "b.py"):
        (project / name).write_text(COMMENTED)
    run = lint()
    assert run.status == 0
    assert run.err == (
        f"warning: with {project / 'ruff.toml'}, ruff deletes '# noqa: ZG' comments; "
        "add 'ZG' to its lint.external\n"
    )
    assert lint("-q").err == ""


def test_a_warning_when_comments_are_added(lint: Lint, project: Path) -> None:
    (project / "ruff.toml").write_text('[lint]\nselect = ["RUF"]\n')
    (project / "a.py").write_text(BUGGY)
    assert "add 'ZG' to its lint.external" in lint("--add-noqa").err
    (project / "ruff.toml").write_text('[lint]\nselect = ["RUF"]\nexternal = ["ZG"]\n')
    (project / "a.py").write_text(BUGGY)
    assert lint("--add-noqa").err == "Added 1 noqa comment.\n"
