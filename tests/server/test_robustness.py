"""Nothing that a client or a file does blocks or ends the server."""

from __future__ import annotations

import subprocess
import sys
import time
from concurrent.futures import Future
from pathlib import Path

import pytest

from zerograd_lint.server.language_server import ZerogradServer
from zerograd_lint.server.worker import Worker

from ..cli.conftest import BUGGY, FIXED
from .client import ROOT, Client, ResponseError, replacing

CANCELLED, UNKNOWN_METHOD = -32800, -32601
BODY = BUGGY.replace("import torch\n", "")
SLOW = "import torch\n" + "".join(BODY.replace("train", f"train_{n}") for n in range(150))
"""Takes seconds to check."""


def test_the_newest_text_wins(client: Client, tmp_path: Path) -> None:
    uri = (tmp_path / "train.py").as_uri()
    client.open(uri, BUGGY)
    for version in range(2, 101):
        client.change(uri, version, {"text": FIXED if version % 2 else BUGGY})
    client.change(uri, 101, {"text": FIXED})
    assert client.published(uri, 101) == []
    versions = [
        params["version"]
        for params in client.of_method("textDocument/publishDiagnostics")
        if params["uri"] == uri
    ]
    assert versions == sorted(versions)
    assert len(versions) < 80, "changes that follow one another closely are not all checked"


def test_other_messages_are_answered_during_a_check(client: Client, tmp_path: Path) -> None:
    slow, uri = (tmp_path / "slow.py").as_uri(), (tmp_path / "train.py").as_uri()
    client.open(slow, SLOW)
    hover = {"textDocument": {"uri": slow}, "position": {"line": 8, "character": 10}}
    number = client.ask("textDocument/hover", hover)
    started = time.monotonic()
    with pytest.raises(ResponseError) as error:
        client.request("workspace/unheardOf", {})
    assert error.value.code == UNKNOWN_METHOD
    answered = time.monotonic() - started
    # What the client no longer wants is answered at once, though its check is under way.
    client.notify("$/cancelRequest", {"id": number})
    with pytest.raises(ResponseError) as error:
        client.result(number)
    assert error.value.code == CANCELLED
    cancelled = time.monotonic() - started
    assert len(client.published(slow, 1)) == 150
    checked = time.monotonic() - started
    assert answered < checked / 2
    assert cancelled < checked / 2
    client.open(uri, BUGGY)
    assert client.published(uri, 1)


def test_closing_during_a_check(client: Client, tmp_path: Path) -> None:
    slow, uri = (tmp_path / "slow.py").as_uri(), (tmp_path / "train.py").as_uri()
    client.open(slow, SLOW)
    client.open(uri, BUGGY)
    client.notify("textDocument/didClose", {"textDocument": {"uri": slow}})
    assert client.published(uri, 1)
    assert slow not in {p["uri"] for p in client.of_method("textDocument/publishDiagnostics")}


def test_messages_that_make_no_sense(client: Client, tmp_path: Path) -> None:
    uri = (tmp_path / "train.py").as_uri()
    client.send_raw(b"{ not json")
    client.send_raw(b'{"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"a": 1}}')
    client.send_raw(b'{"jsonrpc": "2.0", "id": 990, "method": "textDocument/hover"}')
    client.send_raw(b'{"jsonrpc": "2.0", "id": 991, "result": null}')
    client.send_raw(b"[]")
    client.change("file:///never/opened.py", 3, replacing("x", 0, 0, 0))
    client.notify("textDocument/didClose", {"textDocument": {"uri": "file:///never/opened.py"}})
    client.notify("$/unheardOf", {})
    client.open(uri, BUGGY)
    assert client.published(uri, 1)
    lines = client.of_method("window/logMessage")
    assert lines
    assert all("\n" not in line["message"] for line in lines)


@pytest.mark.parametrize("depth", [200, 5000])
def test_texts_that_harm_the_parser(client: Client, tmp_path: Path, depth: int) -> None:
    uri = (tmp_path / "deep.py").as_uri()
    client.open(uri, BUGGY + "x = " + "(" * depth + ")" * depth + "\n")
    client.published(uri, 1)
    client.change(uri, 2, {"text": BUGGY})
    assert [d["code"] for d in client.published(uri, 2)] == ["ZG001"]


def test_an_internal_error_is_one_line_in_the_log(tmp_path: Path) -> None:
    """A rule that fails, put in place of the real one in an otherwise real process."""
    broken = tmp_path / "sitecustomize.py"
    broken.write_text(
        "from zerograd_lint.rules import zg001_missing_zero_grad as module\n"
        "def check(self, analysis, line):\n    raise ValueError('two\\nlines')\n"
        "module.MissingZeroGrad.check = check\n"
    )
    client = Client(tmp_path / "cache", cwd=tmp_path, path=tmp_path)
    client.start(tmp_path)
    uri = (tmp_path / "train.py").as_uri()
    client.open(uri, BUGGY)
    assert client.published(uri, 1) == []
    client.change(uri, 2, {"text": BUGGY})
    assert client.published(uri, 2) == []
    (line,) = client.of_method("window/logMessage")
    assert "internal error: ValueError: two lines at check:3" in line["message"]
    assert "\n" not in line["message"]
    assert client.stop() == 0


def test_leaving_without_a_word(fresh: Client, tmp_path: Path) -> None:
    """The editor is gone in the middle of a check: so is the server, and at once."""
    fresh.start(tmp_path)
    uri = (tmp_path / "train.py").as_uri()
    fresh.open(uri, BUGGY)
    fresh.published(uri, 1)
    fresh.open((tmp_path / "slow.py").as_uri(), SLOW)
    assert fresh.process.stdin is not None
    fresh.process.stdin.close()
    assert fresh.process.wait(10) == 1


def test_without_the_extra(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['pygls'] = None\n"
        "from zerograd_lint.__main__ import main; sys.exit(main(['server']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == "error: the server needs pygls: pip install 'zerograd-lint[server]'\n"


def test_nothing_is_kept_of_changes_that_are_done() -> None:
    """pygls keeps a future for every notification; over thousands of changes they add up."""
    server = ZerogradServer(Worker())
    started = server.protocol._request_futures
    for number in range(5):
        done: Future[None] = Future()
        done.set_result(None)
        started[f"done {number}"] = done
    started["under way"] = Future()
    server.changed("file:///train.py")
    assert list(started) == ["under way"]
