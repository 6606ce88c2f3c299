"""Proofs that `verify` has stored: above the finding, on hover, and their page on demand."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from zerograd_lint.config import stored_proofs
from zerograd_lint.config.stored_proofs import StoredVerdict

from ..cli.conftest import BUGGY, FIXED
from .client import ROOT, Client

EVIDENCE = "stale in 19 of 20 steps"


def prove(client: Client, file: Path, text: str, *lines: int) -> None:
    verdicts = [
        StoredVerdict("ZG001", n, 9, stored_proofs.statement_at(n, text), "CONFIRMED", EVIDENCE)
        for n in lines
    ]
    stored_proofs.store(str(client.cache), str(file), text, verdicts, "<h1>proof</h1>")


def titles(client: Client, uri: str) -> list[str]:
    return [lens["command"]["title"] for lens in client.lenses(uri)]


def test_a_verdict_stands_above_its_finding(client: Client, tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    uri = file.as_uri()
    client.open(uri, BUGGY)
    assert client.lenses(uri) == []
    prove(client, file, BUGGY, 9)
    (lens,) = client.lenses(uri)
    assert lens["range"] == client.published(uri)[0]["range"]
    assert lens["command"]["title"] == f"CONFIRMED when run: {EVIDENCE}"
    shown = client.hover(uri, 8, 10)
    assert shown is not None
    assert f"\n\nCONFIRMED when run: {EVIDENCE}\n\n" in shown["contents"]["value"]
    # The command opens the page in the client.
    client.execute(lens["command"]["command"], *lens["command"]["arguments"])
    (page,) = client.wait_for(lambda: client.of_method("window/showDocument"), "the page")
    assert page["external"] is True
    assert Path(page["uri"].removeprefix("file://")).read_text() == "<h1>proof</h1>"


def test_a_verdict_on_an_earlier_text_says_so(client: Client, tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    uri = file.as_uri()
    prove(client, file, BUGGY, 9)
    client.open(uri, BUGGY.replace("\n", "\r\n"))
    assert titles(client, uri) == [f"CONFIRMED when run: {EVIDENCE}"]
    client.change(uri, 2, {"text": "# moved\n" + BUGGY})
    assert titles(client, uri) == [f"CONFIRMED when run before the latest changes: {EVIDENCE}"]
    client.change(uri, 3, {"text": BUGGY.replace("step()", "step(None)")})
    assert titles(client, uri) == []
    client.change(uri, 4, {"text": FIXED})
    assert titles(client, uri) == []


def test_which_of_two_equal_lines_it_was_is_not_guessed(client: Client, tmp_path: Path) -> None:
    text = BUGGY + BUGGY.replace("import torch\n", "").replace("def train", "def again")
    file = tmp_path / "train.py"
    client.open(file.as_uri(), text)
    found = client.published(file.as_uri())
    prove(client, file, text, *(d["range"]["start"]["line"] + 1 for d in found))
    assert len(client.lenses(file.as_uri())) == 2
    client.change(file.as_uri(), 2, {"text": text + "# later\n"})
    assert client.lenses(file.as_uri()) == []


def test_a_client_that_opens_no_pages_is_told_where_it_is(fresh: Client, tmp_path: Path) -> None:
    fresh.start(tmp_path, capabilities={})
    file = tmp_path / "train.py"
    fresh.execute("zerograd-lint.showProof", file.as_uri())
    (said,) = fresh.wait_for(lambda: fresh.of_method("window/showMessage"), "a message")
    assert "run zerograd-lint verify" in said["message"]
    prove(fresh, file, BUGGY, 9)
    fresh.execute("zerograd-lint.showProof", file.as_uri())
    fresh.wait_for(lambda: len(fresh.of_method("window/showMessage")) == 2, "a message")
    assert fresh.of_method("window/showMessage")[-1]["message"].endswith("train.html")


def test_a_damaged_store_is_none(client: Client, tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    client.open(file.as_uri(), BUGGY)
    prove(client, file, BUGGY, 9)
    assert len(client.lenses(file.as_uri())) == 1
    proof = stored_proofs.load(str(client.cache), str(file))
    assert proof is not None
    entry = proof.page.with_suffix(".json")
    for damaged in ("{", "[]", '{"verdicts": [{"code": 1}], "text": ""}'):
        entry.write_text(damaged)
        assert client.lenses(file.as_uri()) == []


def test_what_verify_has_shown(fresh: Client, tmp_path: Path) -> None:
    """From running the program on the command line to the line in the editor."""
    pytest.importorskip("torch", reason="the runtime verifier needs torch")
    example = ROOT / "fixtures" / "ZG001_missing_zero_grad" / "bad_textbook_loop.py"
    file = tmp_path / "loop.py"
    file.write_text(example.read_text())
    options = ["--device", "cpu", "--jobs", "1"]
    words = [sys.executable, "-m", "zerograd_lint", "verify", *options, str(file)]
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "OMP_NUM_THREADS": "1",
        "ZEROGRAD_LINT_CACHE_DIR": str(fresh.cache),
    }
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    fresh.start(tmp_path)
    fresh.open(file.as_uri(), file.read_text())
    (title,) = titles(fresh, file.as_uri())
    assert title.startswith("CONFIRMED when run: stale in ")
    proof = stored_proofs.load(str(fresh.cache), str(file))
    assert proof is not None
    assert "<svg" in proof.page.read_text(encoding="utf-8")
