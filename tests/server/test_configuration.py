"""The client's settings and the projects' own configuration, and what happens when they change."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..cli.conftest import BUGGY
from .client import Client

SLOW = BUGGY.replace(
    "        loss.backward()",
    "        optimizer.zero_grad(set_to_none=False)\n        loss.backward()",
)


def codes(client: Client, uri: str) -> list[str]:
    return [diagnostic["code"] for diagnostic in client.published(uri)]


def test_a_changed_pyproject_is_picked_up(client: Client, tmp_path: Path) -> None:
    (registered,) = client.wait_for(
        lambda: client.of_method("client/registerCapability"), "registration"
    )
    options = registered["registrations"][0]["registerOptions"]
    assert options["watchers"][0]["globPattern"] == "**/pyproject.toml"
    uri = (tmp_path / "train.py").as_uri()
    client.open(uri, BUGGY)
    assert codes(client, uri) == ["ZG001"]
    project = tmp_path / "pyproject.toml"
    project.write_text('[tool.zerograd-lint]\nignore = ["ZG001"]\n')
    event = {"changes": [{"uri": project.as_uri(), "type": 1}]}
    client.notify("workspace/didChangeWatchedFiles", event)
    client.wait_for(lambda: codes(client, uri) == [], "no findings")
    project.unlink()
    client.notify("workspace/didChangeWatchedFiles", event)
    client.wait_for(lambda: codes(client, uri) == ["ZG001"], "findings")


def test_a_wrong_pyproject_is_said_once(client: Client, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.zerograd-lint]\nselct = ["ZG001"]\n')
    uri = (tmp_path / "train.py").as_uri()
    client.open(uri, BUGGY)
    said = client.wait_for(lambda: client.of_method("window/showMessage"), "a message")
    assert "did you mean 'select'?" in said[-1]["message"]
    client.change(uri, 2, {"text": BUGGY})
    assert client.hover(uri, 8, 10) is None
    assert len(client.of_method("window/showMessage")) == len(said)
    (tmp_path / "pyproject.toml").write_text('[tool.zerograd-lint]\nselect = ["ZG001"]\n')
    client.change(uri, 3, {"text": BUGGY})
    assert client.published(uri, 3)


def test_each_folder_has_its_own_settings(fresh: Client, tmp_path: Path) -> None:
    first, second, outside = (tmp_path / name for name in ("first", "second", "outside"))
    first.mkdir()
    second.mkdir()
    (second / "pyproject.toml").write_text('[tool.zerograd-lint]\nignore = ["ZG001"]\n')
    fresh.settings = {first.as_uri(): {"extendSelect": ["ZG904"]}}
    fresh.start(first, second)
    uris = {folder: (folder / "train.py").as_uri() for folder in (first, second, outside)}
    for uri in uris.values():
        fresh.open(uri, SLOW)
    fresh.wait_for(lambda: codes(fresh, uris[first]) == ["ZG904"], "the first folder's")
    assert codes(fresh, uris[second]) == codes(fresh, uris[outside]) == []
    fresh.settings = {
        first.as_uri(): None,
        second.as_uri(): {"extend-select": ["ZG9"], "unknown": 1},
        None: {"select": ["ZG904"]},
    }
    fresh.notify("workspace/didChangeConfiguration", {"settings": None})
    for folder, expected in ((first, []), (second, ["ZG904"]), (outside, ["ZG904"])):
        fresh.wait_for(lambda u=uris[folder], e=expected: codes(fresh, u) == e, str(folder))
    fresh.settings[first.as_uri()] = {"select": ["ZG777"]}
    fresh.notify("workspace/didChangeConfiguration", {"settings": None})
    said = fresh.wait_for(lambda: fresh.of_method("window/showMessage"), "a message")
    assert said[-1]["message"].startswith("settings of the editor: unknown rule selector 'ZG777'")
    added = {"added": [{"uri": outside.as_uri(), "name": "outside"}], "removed": []}
    fresh.settings = {outside.as_uri(): {"select": ["ZG001"]}}
    fresh.notify("workspace/didChangeWorkspaceFolders", {"event": added})
    fresh.wait_for(lambda: codes(fresh, uris[outside]) == [], "the new folder's")
    assert fresh.stop() == 0


def test_a_client_that_only_sends_its_settings(fresh: Client, tmp_path: Path) -> None:
    bare: dict[str, Any] = {}
    fresh.start(tmp_path, capabilities=bare, initializationOptions={"select": ["ZG904"]})
    uri = (tmp_path / "train.py").as_uri()
    fresh.open(uri, SLOW)
    assert codes(fresh, uri) == ["ZG904"]
    settings = {"zerograd-lint": {"select": ["ZG001"]}}
    fresh.notify("workspace/didChangeConfiguration", {"settings": settings})
    fresh.wait_for(lambda: codes(fresh, uri) == [], "no findings")
    settings = {"zerograd-lint": {"select": ["ZG001", "ZG904"]}}
    fresh.notify("workspace/didChangeConfiguration", {"settings": settings})
    fresh.wait_for(lambda: codes(fresh, uri) == ["ZG904"], "findings")
    assert fresh.of_method("client/registerCapability") == []
    (fix, _) = fresh.actions(uri, 7)
    assert list(fix["edit"]) == ["changes"]
    assert fresh.stop() == 0
