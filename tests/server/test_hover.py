"""Hover over findings and over codes in comments."""

from __future__ import annotations

from pathlib import Path

from zerograd_lint.rules.registry import all_rules

from ..cli.conftest import BUGGY
from .client import Client

PAGE = all_rules()["ZG001"].documentation()


def test_over_a_finding(client: Client, tmp_path: Path) -> None:
    uri = (tmp_path / "train.py").as_uri()
    client.open(uri, BUGGY)
    shown = client.hover(uri, 8, 10)
    assert shown is not None
    assert shown["contents"]["kind"] == "markdown"
    assert shown["contents"]["value"].startswith("**ZG001** optimizer.step() applies gradients")
    assert shown["contents"]["value"].endswith(PAGE)
    assert shown["range"] == client.published(uri, 1)[0]["range"]
    assert client.hover(uri, 7, 10) is None
    assert client.hover(uri, 99, 10) is None


def test_over_a_code_in_a_comment(client: Client, tmp_path: Path) -> None:
    uri = (tmp_path / "train.py").as_uri()
    line = '        "ZG001"; optimizer.step()  # noqa: E501, zg001'
    client.open(uri, BUGGY.replace("        optimizer.step()", line))
    assert client.published(uri, 1) == []
    shown = client.hover(uri, 8, line.index("zg001") + 2)
    assert shown is not None
    assert shown["contents"]["value"] == PAGE
    assert shown["range"] == {
        "start": {"line": 8, "character": line.index("zg001")},
        "end": {"line": 8, "character": len(line)},
    }
    for word in ("ZG001", "E501", "step"):
        assert client.hover(uri, 8, line.index(word) + 1) is None
