"""Code actions: their edits leave the text as the command line would."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

from ..cli.conftest import BUGGY, FIXED, Lint
from .client import CAPABILITIES, Client, edited

SAFE = """\
import torch


def train(model, loader, criterion):
    for inputs, targets in loader:
        for p in model.parameters():
            p.grad.zero_()
        criterion(model(inputs), targets).backward()
        for p in model.parameters():
            p.data.add_(p.grad, alpha=-0.1)
"""


def after(text: str, action: dict[str, Any]) -> str:
    (change,) = action["edit"]["documentChanges"]
    return edited(text, change["edits"])


def titled(actions: list[dict[str, Any]], part: str) -> dict[str, Any]:
    (found,) = [action for action in actions if part in action["title"]]
    return found


def test_an_unsafe_fix_says_so(client: Client, tmp_path: Path) -> None:
    uri = (tmp_path / "train.py").as_uri()
    client.open(uri, BUGGY)
    fix, silence = client.actions(uri, 8)
    assert fix["title"] == "ZG001: Insert `optimizer.zero_grad()` before the backward (unsafe fix)"
    assert (fix["kind"], fix["isPreferred"]) == ("quickfix", False)
    assert fix["diagnostics"] == client.published(uri, 1)
    assert after(BUGGY, fix) == FIXED
    assert (silence["kind"], silence["isPreferred"]) == ("quickfix", False)
    silenced = after(BUGGY, silence)
    assert silenced == BUGGY.replace("step()", "step()  # noqa: ZG001")
    client.change(uri, 2, {"text": silenced})
    assert client.published(uri, 2) == []
    assert client.actions(uri, 8) == []


def test_only_where_a_finding_is(client: Client, tmp_path: Path) -> None:
    uri = (tmp_path / "train.py").as_uri()
    client.open(uri, BUGGY)
    assert client.actions(uri, 6) == []
    assert len(client.actions(uri, 0, end=8)) == 2
    assert client.actions((tmp_path / "other.py").as_uri(), 0) == []


def test_a_safe_fix_is_preferred_and_fixed_by_fix_all(
    client: Client, tmp_path: Path, lint: Lint, project: Path
) -> None:
    uri = (tmp_path / "train.py").as_uri()
    client.open(uri, SAFE)
    (project / "train.py").write_text(SAFE)
    lint("check", "--fix", "train.py")
    expected = (project / "train.py").read_text()
    assert expected != SAFE
    actions = client.actions(uri, 6)
    fix = actions[0]
    assert fix["title"].startswith("ZG003: ")
    assert fix["isPreferred"] is True
    assert "unsafe" not in fix["title"]
    assert after(SAFE, fix) == expected
    (everything,) = client.actions(uri, 0, only=["source.fixAll"])
    assert everything["kind"] == "source.fixAll.zerograd"
    assert after(SAFE, everything) == expected
    assert client.actions(uri, 6, only=["source.organizeImports"]) == []
    kinds = {action["kind"] for action in client.actions(uri, 6, only=["quickfix"])}
    assert kinds == {"quickfix"}


def test_fix_all_leaves_unsafe_fixes_to_those_who_ask(client: Client, tmp_path: Path) -> None:
    uri = (tmp_path / "train.py").as_uri()
    second = BUGGY.replace("import torch\n", "").replace("def train", "def train_again")
    client.open(uri, BUGGY + second)
    assert client.actions(uri, 0, only=["source.fixAll"]) == []
    everything = titled(client.actions(uri, 8), "Fix all 2 fixable findings")
    assert "unsafe" in everything["title"]
    assert after(BUGGY + second, everything).count("zero_grad()") == 2
    (tmp_path / "pyproject.toml").write_text("[tool.zerograd-lint]\nunsafe-fixes = true\n")
    client.change(uri, 2, {"text": BUGGY + second})
    client.published(uri, 2)
    (wanted,) = client.actions(uri, 0, only=["source.fixAll.zerograd"])
    assert after(BUGGY + second, wanted).count("zero_grad()") == 2


def test_edits_asked_for_later_and_without_versions(fresh: Client, tmp_path: Path) -> None:
    capabilities: dict[str, Any] = copy.deepcopy(CAPABILITIES)
    capabilities["textDocument"]["codeAction"]["resolveSupport"] = {"properties": ["edit"]}
    del capabilities["workspace"]["workspaceEdit"]
    fresh.start(tmp_path, capabilities=capabilities)
    uri = (tmp_path / "train.py").as_uri()
    text = BUGGY.replace("\n", "\r\n")
    fresh.open(uri, text)
    fix, silence = fresh.actions(uri, 8)
    assert "edit" not in fix
    resolved = fresh.request("codeAction/resolve", fix)
    (edits,) = resolved["edit"]["changes"].values()
    assert edits[0]["newText"].endswith("\r\n")
    assert edited(text, edits) == FIXED
    # What was offered for a text that is no longer there changes nothing.
    fresh.change(uri, 2, {"text": FIXED})
    assert "edit" not in fresh.request("codeAction/resolve", silence)
    assert "edit" not in fresh.request("codeAction/resolve", {"title": "of another server"})
