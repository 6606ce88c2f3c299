"""Findings that follow from several files: a change in one shows in those that read it."""

from __future__ import annotations

import asyncio
import copy
from pathlib import Path
from typing import Any

import pytest

from zerograd_lint.check.result import FileResult
from zerograd_lint.config.project import Config
from zerograd_lint.server.checking import CheckedFile
from zerograd_lint.server.file_analysis import FileAnalysis, FileAnswer
from zerograd_lint.server.open_files import OpenFile

from .client import CAPABILITIES, Client, replacing

UPDATE = """\
def update(optimizer, loss):
    optimizer.zero_grad()
    {smile}loss.backward()
    {smile}optimizer.step()
"""
RIGHT = UPDATE.format(smile="")
WRONG = RIGHT.replace("    optimizer.zero_grad()\n", "")
TRAIN = """\
import torch
from engine import update


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in loader:
        update(optimizer, model(x).sum())
"""


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """A script and the module it imports."""
    (tmp_path / "pyproject.toml").touch()
    engine, train = tmp_path / "engine.py", tmp_path / "train.py"
    engine.write_text(RIGHT)
    train.write_text(TRAIN)
    return engine, train


def wait_for_codes(client: Client, uri: str, *codes: str) -> list[dict[str, Any]]:
    def found() -> bool:
        return [d["code"] for d in client.published(uri)] == list(codes)

    client.wait_for(found, f"{codes} in {uri}")
    return client.published(uri)


def test_a_change_that_is_not_saved(client: Client, files: tuple[Path, Path]) -> None:
    engine, train = (file.as_uri() for file in files)
    client.open(train, TRAIN)
    assert client.published(train, 1) == []
    client.open(engine, RIGHT)
    # Columns of the other file count in the client's unit, too.
    smiling = UPDATE.format(smile='"😀"; ').replace("    optimizer.zero_grad()\n", "")
    client.change(engine, 2, {"text": smiling})
    (diagnostic,) = wait_for_codes(client, train, "ZG001")
    assert diagnostic["range"]["start"] == {"line": 7, "character": 8}
    there = [r["location"] for r in diagnostic["relatedInformation"]]
    assert {location["uri"] for location in there} == {engine}
    starts = [location["range"]["start"] for location in there]
    assert {"line": 1, "character": 10} in starts
    client.change(engine, 3, {"text": RIGHT})
    wait_for_codes(client, train)
    client.change(engine, 4, replacing("# ", 1, 4, 4))
    wait_for_codes(client, train, "ZG001")
    # Closed without saving: what counts again is the file.
    client.notify("textDocument/didClose", {"textDocument": {"uri": engine}})
    wait_for_codes(client, train)


def test_a_module_that_begins_to_train(client: Client, files: tuple[Path, Path]) -> None:
    """Nothing in either file trains at first: not even the gate lets the script through."""
    engine, train = files
    engine.write_text("def update(optimizer, loss):\n    return loss\n")
    client.open(train.as_uri(), TRAIN)
    assert client.published(train.as_uri(), 1) == []
    client.open(engine.as_uri(), WRONG)
    wait_for_codes(client, train.as_uri(), "ZG001")


def test_a_change_on_disk(client: Client, files: tuple[Path, Path]) -> None:
    engine, train = files
    client.open(train.as_uri(), TRAIN)
    assert client.published(train.as_uri(), 1) == []
    asked = client.wait_for(
        lambda: client.of_method("client/registerCapability"), "wish to watch files"
    )
    watched = asked[0]["registrations"][0]
    patterns = [w["globPattern"] for w in watched["registerOptions"]["watchers"]]
    assert "**/*.py" in patterns

    def announce(kind: int) -> None:
        changes = [{"uri": engine.as_uri(), "type": kind}]
        client.notify("workspace/didChangeWatchedFiles", {"changes": changes})

    engine.write_text(WRONG)
    announce(2)
    wait_for_codes(client, train.as_uri(), "ZG001")
    engine.unlink()
    announce(3)
    wait_for_codes(client, train.as_uri())
    engine.write_text(WRONG)
    announce(1)
    wait_for_codes(client, train.as_uri(), "ZG001")


def test_a_change_during_a_check() -> None:
    """The check may have read the module before or after: so it is done once more."""
    file = OpenFile("file:///train.py", "/train.py", "python", b"", {})
    checks = 0
    published: list[FileAnswer] = []

    async def session() -> None:
        async def check(file: OpenFile, trust_fixes: bool) -> FileAnswer:
            nonlocal checks
            checks += 1
            if checks == 1:
                analysis.modules_changed({"/engine.py", "/other.py"})
            if checks == 2:
                analysis.modules_changed({"/other.py"})
            result = FileResult(file.path, dependencies={"/engine.py": ""})
            return FileAnswer(CheckedFile(file, Config(""), result), {})

        analysis = FileAnalysis(lambda: file, check, published.append)
        analysis.request()
        await analysis.answer()

    asyncio.run(session())
    assert checks == 2
    assert len(published) == 1


def test_only_what_reads_it_is_checked_again(client: Client, files: tuple[Path, Path]) -> None:
    engine, train = (file.as_uri() for file in files)
    other = files[0].with_name("other.py").as_uri()
    for uri, text in ((train, TRAIN), (engine, RIGHT), (other, TRAIN.replace("engine", "module"))):
        client.open(uri, text)
        client.published(uri, 1)
    client.received.clear()
    client.change(engine, 2, {"text": WRONG})
    wait_for_codes(client, train, "ZG001")
    said = {p["uri"] for p in client.of_method("textDocument/publishDiagnostics")}
    assert other not in said


def test_a_client_that_asks_is_told_to_ask_again(
    fresh: Client, files: tuple[Path, Path], tmp_path: Path
) -> None:
    capabilities: dict[str, Any] = copy.deepcopy(CAPABILITIES)
    capabilities["textDocument"]["diagnostic"] = {}
    server = fresh.start(tmp_path, capabilities=capabilities)
    assert server["capabilities"]["diagnosticProvider"]["interFileDependencies"] is True
    engine, train = (file.as_uri() for file in files)
    fresh.open(train, TRAIN)
    fresh.open(engine, RIGHT)
    params = {"textDocument": {"uri": train}}
    assert fresh.request("textDocument/diagnostic", params)["items"] == []
    fresh.received.clear()
    fresh.change(engine, 2, {"text": WRONG})
    refresh = "workspace/diagnostic/refresh"
    fresh.wait_for(lambda: [m for m in fresh.received if m["method"] == refresh], refresh)
    items = fresh.request("textDocument/diagnostic", params)["items"]
    assert [item["code"] for item in items] == ["ZG001"]
