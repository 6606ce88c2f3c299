"""The site builds without a warning, and what the pages of the API show is true."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

import zerograd_lint

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(importlib.util.find_spec("material") is None, reason="needs the extra 'docs'")
def test_the_site_builds_strictly(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-d", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "not included in the" not in done.stderr, "a page is missing in the reading order"
    page = (tmp_path / "rules" / "ZG001" / "index.html").read_text()
    assert "What it prints" in page
    assert "applies gradients left over" in page


def _examples() -> list[tuple[str, str]]:
    """The programs of the API's page with what the page says they print."""
    text = (ROOT / "docs" / "python-api.md").read_text()
    return re.findall(r"```python\n(.*?)```\n\nIt prints `([^`]+)`", text, re.DOTALL)


@pytest.mark.parametrize(("program", "printed"), _examples())
def test_the_examples_of_the_api_print_what_they_say(
    program: str, printed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if "import torch\n" in program.split('"""')[0]:
        pytest.importorskip("torch")
    exec(compile(program, "python-api.md", "exec"), {})
    assert capsys.readouterr().out.strip() == printed


def test_every_public_name_is_on_the_page() -> None:
    text = (ROOT / "docs" / "python-api.md").read_text()
    assert len(_examples()) == 2
    assert [name for name in zerograd_lint.__all__ if f"`{name}" not in text] == []
