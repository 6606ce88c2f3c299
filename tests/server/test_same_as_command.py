"""After any changes the server shows what the command reports about the same text."""

from __future__ import annotations

from itertools import pairwise, takewhile
from pathlib import Path
from typing import Any

import pytest

from tests.fixture_files import label, programs
from zerograd_lint import Settings, SourceError, check_source

from ..properties.test_versions import versions
from .client import Client, replacing

PROGRAMS = [path for path in programs("ZG00") if path.name.startswith("bad")][::9]


def common(some: str, others: str) -> int:
    """How many characters are the same at the beginning."""
    pairs = zip(some, others, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def difference(before: str, after: str) -> dict[str, Any]:
    """The change from one text to another, as an editor would send it: what lies between."""
    same = common(before, after)
    tail = min(common(before[::-1], after[::-1]), min(len(before), len(after)) - same)
    head, gone = before[:same], before[same : len(before) - tail]
    change = replacing(after[same : len(after) - tail], head.count("\n"), 0, 0)
    change["range"]["start"]["character"] = len(head.rpartition("\n")[2])
    both = head + gone
    change["range"]["end"] = {
        "line": both.count("\n"),
        "character": len(both.rpartition("\n")[2]),
    }
    return change


def reported(text: str, path: Path) -> list[tuple[int, int, str]]:
    try:
        found = check_source(text, str(path), settings=Settings())
    except SourceError:
        return []
    return [(finding.line, finding.column, finding.code) for finding in found]


@pytest.mark.parametrize("program", PROGRAMS, ids=label)
def test_key_by_key(client: Client, tmp_path: Path, program: Path) -> None:
    path = tmp_path / "train.py"
    uri = path.as_uri()
    # Lines that end otherwise are the business of other tests.
    texts = versions(program.read_text(encoding="utf-8"), seed=1)
    texts = [text for text in texts if "\r" not in text and "noqa" not in text]
    client.open(uri, texts[0])
    for number, (before, after) in enumerate(pairwise(texts), 2):
        client.change(uri, number, difference(before, after))
        shown = client.published(uri, number)
        start = [(d["range"]["start"], d["code"]) for d in shown]
        places = [(s["line"] + 1, s["character"] + 1, code) for s, code in start]
        assert places == reported(after, path), after
