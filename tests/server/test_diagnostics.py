"""What a diagnostic carries, pushed or pulled, and which findings become one."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

from zerograd_lint.rules.registry import all_rules

from ..cli.conftest import BUGGY, Lint
from .client import CAPABILITIES, Client, replacing


def test_all_that_is_known_about_a_finding(client: Client, tmp_path: Path) -> None:
    uri = (tmp_path / "train.py").as_uri()
    client.open(uri, BUGGY)
    (diagnostic,) = client.published(uri, 1)
    assert diagnostic["code"] == "ZG001"
    assert diagnostic["source"] == "zerograd-lint"
    assert diagnostic["severity"] == 2
    assert "nothing zeroes 'optimizer' in between" in diagnostic["message"]
    assert diagnostic["range"] == {
        "start": {"line": 8, "character": 8},
        "end": {"line": 8, "character": 24},
    }
    (related,) = diagnostic["relatedInformation"]
    assert related["location"]["uri"] == uri
    assert related["location"]["range"]["start"] == {"line": 7, "character": 8}
    assert diagnostic["data"]["name"] == "missing-zero-grad"
    title = "Insert `optimizer.zero_grad()` before the backward"
    assert diagnostic["data"]["fix"] == {"title": title, "safe": False}
    page = Path(urlparse(diagnostic["codeDescription"]["href"]).path)
    assert page.read_text(encoding="utf-8") == all_rules()["ZG001"].documentation()


def test_opt_in_rules_are_information(client: Client, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.zerograd-lint]\nextend-select = ["ZG904"]\n')
    uri = (tmp_path / "train.py").as_uri()
    client.open(
        uri,
        BUGGY.replace(
            "        loss.backward()",
            "        optimizer.zero_grad(set_to_none=False)\n        loss.backward()",
        ),
    )
    (diagnostic,) = client.published(uri, 1)
    assert (diagnostic["code"], diagnostic["severity"]) == ("ZG904", 3)


def test_code_without_effect_is_faded(client: Client, tmp_path: Path) -> None:
    uri = (tmp_path / "train.py").as_uri()
    named = BUGGY.replace("        loss.b", "        optimizer.zero_grad\n        loss.b")
    client.open(uri, named)
    found = {d["code"]: d for d in client.published(uri, 1)}
    assert found["ZG005"]["tags"] == [1]
    client.change(uri, 2, {"text": BUGGY})
    (finding,) = client.published(uri, 2)
    assert "tags" not in finding


def test_the_project_decides_as_on_the_command_line(
    client: Client, project: Path, lint: Lint
) -> None:
    """Per-file ignores, excludes and a baseline hold in the editor, too."""
    (project / "old.py").write_text(BUGGY)
    lint("check", "--write-baseline", "known.json", "old.py")
    (project / "pyproject.toml").write_text(
        '[tool.zerograd-lint]\nbaseline = "known.json"\nextend-exclude = ["gone"]\n'
        '[tool.zerograd-lint.per-file-ignores]\n"ignored.py" = ["ZG001"]\n'
    )
    expected = {"old.py": 0, "gone/a.py": 0, ".venv/a.py": 0, "ignored.py": 0, "new.py": 1}
    for name, count in expected.items():
        uri = (project / name).as_uri()
        client.open(uri, BUGGY)
        assert len(client.published(uri, 1)) == count, name


def test_pulled_diagnostics(fresh: Client, tmp_path: Path) -> None:
    capabilities: dict[str, Any] = copy.deepcopy(CAPABILITIES)
    capabilities["textDocument"]["diagnostic"] = {}
    server = fresh.start(tmp_path, capabilities=capabilities)
    assert server["capabilities"]["diagnosticProvider"]["identifier"] == "zerograd-lint"
    uri = (tmp_path / "train.py").as_uri()

    def pull(previous: str | None = None) -> dict[str, Any]:
        params: dict[str, Any] = {"textDocument": {"uri": uri}, "previousResultId": previous}
        report: dict[str, Any] = fresh.request("textDocument/diagnostic", params)
        return report

    assert pull()["items"] == []
    fresh.open(uri, BUGGY)
    report = pull()
    assert report["kind"] == "full"
    assert [item["code"] for item in report["items"]] == ["ZG001"]
    fresh.change(uri, 2, replacing("#", 99, 0, 0))
    unchanged = pull(report["resultId"])
    assert unchanged == {"kind": "unchanged", "resultId": report["resultId"]}
    fresh.change(uri, 3, replacing("        optimizer.zero_grad()\n", 7, 0, 0))
    fixed = pull(report["resultId"])
    assert (fixed["kind"], fixed["items"]) == ("full", [])
    assert fixed["resultId"] != report["resultId"]
    (tmp_path / "pyproject.toml").write_text('[tool.zerograd-lint]\nselect = ["ZG002"]\n')
    fresh.notify("workspace/didChangeWatchedFiles", {"changes": []})
    refresh = "workspace/diagnostic/refresh"
    fresh.wait_for(lambda: [m for m in fresh.received if m["method"] == refresh], refresh)
    # A client that asks is not sent the same findings a second time.
    assert fresh.of_method("textDocument/publishDiagnostics") == []
