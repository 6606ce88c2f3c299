"""A small LSP client over the standard streams of the real `zerograd-lint server` process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
WAIT = 60.0
"""Seconds, on a machine that has other things to do; every wait ends as soon as it can."""

CAPABILITIES: dict[str, Any] = {
    "workspace": {
        "configuration": True,
        "workspaceFolders": True,
        "didChangeWatchedFiles": {"dynamicRegistration": True},
        "workspaceEdit": {"documentChanges": True},
        "diagnostics": {"refreshSupport": True},
        "codeLens": {"refreshSupport": True},
    },
    "textDocument": {
        "synchronization": {"didSave": True},
        "publishDiagnostics": {
            "relatedInformation": True,
            "codeDescriptionSupport": True,
            "tagSupport": {"valueSet": [1, 2]},
        },
        "codeAction": {"dataSupport": True},
        "hover": {"contentFormat": ["markdown"]},
    },
    "window": {"showDocument": {"support": True}},
    "notebookDocument": {"synchronization": {}},
}


class ResponseError(Exception):
    """What the server answered instead of a result."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(error["message"])
        self.code: int = error["code"]


class Client:
    """Sends and receives messages; answers the server's own requests."""

    def __init__(self, cache: Path, *, cwd: Path, path: Path = ROOT) -> None:
        environment = {
            **os.environ,
            "PYTHONPATH": f"{path}{os.pathsep}{ROOT}",
            "ZEROGRAD_LINT_CACHE_DIR": str(cache),
        }
        self.cache = cache
        self.process = subprocess.Popen(
            [sys.executable, "-m", "zerograd_lint", "server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            cwd=cwd,
        )
        self.settings: dict[str | None, Any] = {}
        """What `workspace/configuration` is answered, by the address of the folder."""
        self.received: list[dict[str, Any]] = []
        """Notifications and requests of the server, in order."""
        self._responses: dict[int, dict[str, Any]] = {}
        self._news = threading.Condition()
        self._last_id = 0
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    # The wire.

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while header := stream.readline():
            length = int(header.split(b":")[1])
            while stream.readline().strip():
                pass
            message = json.loads(stream.read(length))
            with self._news:
                if "method" not in message:
                    self._responses[message["id"]] = message
                else:
                    self.received.append(message)
                self._news.notify_all()
            if "method" in message and "id" in message:
                self.send({"id": message["id"], "result": self._answer(message)})

    def _answer(self, message: dict[str, Any]) -> Any:
        if message["method"] != "workspace/configuration":
            return None
        return [self.settings.get(item.get("scopeUri")) for item in message["params"]["items"]]

    def send_raw(self, body: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def send(self, message: dict[str, Any]) -> None:
        self.send_raw(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def notify(self, method: str, params: Any) -> None:
        self.send({"method": method, "params": params})

    def ask(self, method: str, params: Any) -> int:
        """Send a request without waiting for its answer."""
        self._last_id += 1
        self.send({"id": self._last_id, "method": method, "params": params})
        return self._last_id

    def wait_for(self, ready: Callable[[], Any], what: str) -> Any:
        """The first true value, looked for whenever a message has come in."""
        end = time.monotonic() + WAIT
        with self._news:
            while not (value := ready()):
                left = end - time.monotonic()
                assert left > 0, f"no {what} within {WAIT} s; last: {self.received[-3:]}"
                self._news.wait(min(left, 1))
                assert self.process.poll() is None or ready(), f"the server died before {what}"
        return value

    def result(self, number: int) -> Any:
        response = self.wait_for(lambda: self._responses.get(number), f"answer {number}")
        if "error" in response:
            raise ResponseError(response["error"])
        return response["result"]

    def request(self, method: str, params: Any) -> Any:
        return self.result(self.ask(method, params))

    # A session.

    def start(
        self, *folders: Path, capabilities: dict[str, Any] | None = None, **more: Any
    ) -> dict[str, Any]:
        """Shake hands; what the server says it can do."""
        params = {
            "processId": os.getpid(),
            "rootUri": folders[0].as_uri() if folders else None,
            "workspaceFolders": [{"uri": f.as_uri(), "name": f.name} for f in folders],
            "capabilities": CAPABILITIES if capabilities is None else capabilities,
            **more,
        }
        answer: dict[str, Any] = self.request("initialize", params)
        self.notify("initialized", {})
        return answer

    def stop(self) -> int:
        """Take leave as the protocol wants it; the exit status."""
        if self.process.poll() is None:
            self.request("shutdown", None)
            self.notify("exit", None)
        status = self.process.wait(WAIT)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()
        return status

    def open(self, uri: str, text: str, *, version: int = 1, language: str = "python") -> None:
        item = {"uri": uri, "languageId": language, "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, uri: str, version: int, *changes: dict[str, Any]) -> None:
        document = {"uri": uri, "version": version}
        params = {"textDocument": document, "contentChanges": list(changes)}
        self.notify("textDocument/didChange", params)

    def of_method(self, method: str) -> list[dict[str, Any]]:
        return [m.get("params", {}) for m in self.received if m["method"] == method]

    def published(self, uri: str, version: int | None = None) -> list[dict[str, Any]]:
        """The diagnostics pushed for a text, of this version if one is given."""

        def newest() -> list[dict[str, Any]]:
            return [
                params
                for params in self.of_method("textDocument/publishDiagnostics")
                if params["uri"] == uri and version in (None, params.get("version"))
            ]

        found: list[dict[str, Any]] = self.wait_for(newest, f"diagnostics of {uri}")
        diagnostics: list[dict[str, Any]] = found[-1]["diagnostics"]
        return diagnostics

    def actions(
        self, uri: str, line: int, only: list[str] | None = None, end: int | None = None
    ) -> list[dict[str, Any]]:
        """The code actions for a line, or for some."""
        last = line if end is None else end
        params = {
            "textDocument": {"uri": uri},
            "range": {
                "start": {"line": line, "character": 0},
                "end": {"line": last, "character": 0},
            },
            "context": {"diagnostics": [], **({"only": only} if only else {})},
        }
        found: list[dict[str, Any]] = self.request("textDocument/codeAction", params)
        return found

    def hover(self, uri: str, line: int, character: int) -> dict[str, Any] | None:
        position = {"line": line, "character": character}
        params = {"textDocument": {"uri": uri}, "position": position}
        found: dict[str, Any] | None = self.request("textDocument/hover", params)
        return found

    def lenses(self, uri: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.request(
            "textDocument/codeLens", {"textDocument": {"uri": uri}}
        )
        return found

    def execute(self, command: str, *arguments: Any) -> Any:
        params = {"command": command, "arguments": list(arguments)}
        return self.request("workspace/executeCommand", params)


def replacing(text: str, line: int, start: int, end: int) -> dict[str, Any]:
    """A change within one line."""
    return {
        "range": {
            "start": {"line": line, "character": start},
            "end": {"line": line, "character": end},
        },
        "text": text,
    }


def edited(text: str, edits: list[dict[str, Any]], encoding: str = "utf-16-le") -> str:
    """A text after edits, as a client applies them: by lines and by units of its encoding."""
    size = {"utf-16-le": 2, "utf-8": 1, "utf-32-le": 4}[encoding]
    lines = text.replace("\r\n", "\n").split("\n")
    starts = [sum(len(line) + 1 for line in lines[:i]) for i in range(len(lines))]
    whole = "\n".join(lines)

    def offset(position: dict[str, int]) -> int:
        if position["line"] >= len(lines):
            return len(whole)
        data = lines[position["line"]].encode(encoding)[: position["character"] * size]
        return starts[position["line"]] + len(data.decode(encoding))

    # From the last up; of two insertions at one place the second goes in first.
    in_order = sorted(enumerate(edits), key=lambda e: (offset(e[1]["range"]["start"]), e[0]))
    for _, edit in reversed(in_order):
        start, end = offset(edit["range"]["start"]), offset(edit["range"]["end"])
        whole = whole[:start] + edit["newText"].replace("\r\n", "\n") + whole[end:]
    return whole
