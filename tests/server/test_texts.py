"""Opening, changing, saving and closing: the server always has the client's own text."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..cli.conftest import BUGGY, FIXED
from .client import Client, replacing

ZEROING = "        optimizer.zero_grad()\n"
BACKWARD = 7
"""The line of `loss.backward()` in `BUGGY`, counted from 0."""


def codes(diagnostics: list[dict[str, object]]) -> list[object]:
    return [diagnostic["code"] for diagnostic in diagnostics]


def test_from_opening_to_closing(client: Client, tmp_path: Path) -> None:
    uri = (tmp_path / "train.py").as_uri()
    client.open(uri, BUGGY)
    assert codes(client.published(uri, 1)) == ["ZG001"]
    client.change(uri, 2, replacing(ZEROING, BACKWARD, 0, 0))
    assert client.published(uri, 2) == []
    client.change(uri, 3, replacing("x", 0, 0, 0), {"text": BUGGY})
    assert codes(client.published(uri, 3)) == ["ZG001"]
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    assert codes(client.published(uri, 3)) == ["ZG001"]
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    client.wait_for(lambda: not client.published(uri), "withdrawal")
    client.open(uri, BUGGY, version=1)
    assert codes(client.published(uri, 1)) == ["ZG001"]


def test_changes_of_one_message_build_on_one_another(client: Client, tmp_path: Path) -> None:
    uri = (tmp_path / "train.py").as_uri()
    client.open(uri, "")
    lines = FIXED.splitlines(keepends=True)
    changes = [replacing(line, number, 0, 0) for number, line in enumerate(lines)]
    removal = {
        "range": {
            "start": {"line": BACKWARD, "character": 0},
            "end": {"line": BACKWARD + 1, "character": 0},
        },
        "text": "",
    }
    client.change(uri, 2, *changes, removal)
    (diagnostic,) = client.published(uri, 2)
    assert diagnostic["range"]["start"] == {"line": 8, "character": 8}


@pytest.mark.parametrize("character", ["\f", "\u2028", "\x1c", "\x85"])
def test_only_line_ends_end_a_line(client: Client, tmp_path: Path, character: str) -> None:
    """Where the server saw a line more, the change would hit the wrong line."""
    uri = (tmp_path / "train.py").as_uri()
    client.open(uri, f"# a{character}b\n{BUGGY}")
    client.change(uri, 2, replacing(ZEROING, BACKWARD + 1, 0, 0))
    assert client.published(uri, 2) == []


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_line_ends_of_other_systems(client: Client, tmp_path: Path, ending: str) -> None:
    uri = (tmp_path / "train.py").as_uri()
    client.open(uri, BUGGY.replace("\n", ending))
    (diagnostic,) = client.published(uri, 1)
    assert diagnostic["range"]["start"] == {"line": 8, "character": 8}
    client.change(uri, 2, replacing(ZEROING.replace("\n", ending), BACKWARD, 0, 0))
    assert client.published(uri, 2) == []


def test_places_past_the_end_are_the_end(client: Client, tmp_path: Path) -> None:
    uri = (tmp_path / "train.py").as_uri()
    client.open(uri, BUGGY.removesuffix("        optimizer.step()\n"))
    client.change(uri, 2, replacing("        optimizer.step()", 99, 99, 99))
    assert codes(client.published(uri, 2)) == ["ZG001"]
    client.change(uri, 3, replacing("  # noqa", 8, 999, 999))
    assert client.published(uri, 3) == []


def test_a_text_that_does_not_parse_has_no_findings(client: Client, tmp_path: Path) -> None:
    uri = (tmp_path / "train.py").as_uri()
    client.open(uri, BUGGY + "def f(:\n")
    assert client.published(uri, 1) == []
    client.change(uri, 2, replacing("", 9, 0, 7))
    assert codes(client.published(uri, 2)) == ["ZG001"]


def test_a_text_that_is_saved_nowhere(client: Client) -> None:
    client.open("untitled:Untitled-1", BUGGY)
    assert codes(client.published("untitled:Untitled-1", 1)) == ["ZG001"]


def test_a_declared_encoding_does_not_move_columns(client: Client, tmp_path: Path) -> None:
    uri = (tmp_path / "train.py").as_uri()
    text = "# -*- coding: latin-1 -*-\n" + BUGGY.replace(
        "        optimizer.step()", '        "é€"; optimizer.step()'
    )
    client.open(uri, text)
    (diagnostic,) = client.published(uri, 1)
    assert diagnostic["range"]["start"] == {"line": 9, "character": 14}


def test_markdown_by_its_language(client: Client, tmp_path: Path) -> None:
    uri = (tmp_path / "README").as_uri()
    client.open(uri, f"# Title\n\n```python\n{BUGGY}```\n", language="markdown")
    (diagnostic,) = client.published(uri, 1)
    assert diagnostic["range"]["start"] == {"line": 11, "character": 8}
    titles = [action["title"] for action in client.actions(uri, 11)]
    assert titles == ["ZG001: Insert `optimizer.zero_grad()` before the backward (unsafe fix)"]


def test_a_notebook_as_a_text_is_left_alone(client: Client, tmp_path: Path) -> None:
    uri = (tmp_path / "a.ipynb").as_uri()
    client.open(uri, '{"cells": []}', language="json")
    assert client.actions(uri, 0) == []
    client.open(uri, BUGGY)  # as plugins show it that turn notebooks into scripts
    assert codes(client.published(uri, 1)) == ["ZG001"]
