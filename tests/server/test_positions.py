"""Positions in each of the three encodings a client can count in, in both directions."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zerograd_lint.server.client_columns import ColumnUnit
from zerograd_lint.server.text_edits import text_edits

from ..cli.conftest import BUGGY
from .client import CAPABILITIES, Client, edited, replacing

EMOJI = BUGGY.replace("        optimizer.step()", '        "é👩‍🚀"; optimizer.step()')
WIDTH = {"utf-8": 8 + 1 + 2 + 11 + 3, "utf-16": 8 + 1 + 1 + 5 + 3, "utf-32": 8 + 1 + 1 + 3 + 3}
CODECS = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}


@pytest.mark.parametrize("encoding", WIDTH)
def test_emoji_in_the_line(fresh: Client, tmp_path: Path, encoding: str) -> None:
    capabilities: dict[str, Any] = copy.deepcopy(CAPABILITIES)
    capabilities["general"] = {"positionEncodings": [encoding]}
    server = fresh.start(tmp_path, capabilities=capabilities)
    assert server["capabilities"]["positionEncoding"] == encoding
    uri = (tmp_path / "train.py").as_uri()
    fresh.open(uri, EMOJI)
    (diagnostic,) = fresh.published(uri, 1)
    start = WIDTH[encoding]
    assert diagnostic["range"]["start"] == {"line": 8, "character": start}
    assert diagnostic["range"]["end"] == {"line": 8, "character": start + 16}
    assert fresh.hover(uri, 8, start - 1) is None
    assert fresh.hover(uri, 8, start) is not None
    fix, silence = fresh.actions(uri, 8)
    for action in (fix, silence):
        (change,) = action["edit"]["documentChanges"]
        after = edited(EMOJI, change["edits"], CODECS[encoding])
        assert "👩‍🚀" in after
        assert len(after) > len(EMOJI)
    # The client's own changes count in the same unit.
    end = start + 16
    fresh.change(uri, 2, replacing("  # noqa: ZG001", 8, end, end))
    assert fresh.published(uri, 2) == []
    fresh.change(uri, 3, replacing("2", 8, end + 14, end + 15))
    assert [d["code"] for d in fresh.published(uri, 3)] == ["ZG001"]


LINES = st.lists(st.sampled_from(["", "a", "b", "é", "😀x", "  c"]), max_size=8)


@given(LINES, LINES, st.sampled_from(list(CODECS)), st.sampled_from(["\n", "\r\n"]))
@settings(max_examples=300, deadline=None)
def test_edits_lead_to_the_new_text(
    old: list[str], new: list[str], encoding: str, ending: str
) -> None:
    before, after = ending.join(old), "\n".join(new)
    edits = [
        {
            "range": {
                "start": {"line": e.range.start.line, "character": e.range.start.character},
                "end": {"line": e.range.end.line, "character": e.range.end.character},
            },
            "newText": e.new_text,
        }
        for e in text_edits(before, after, ColumnUnit(encoding))
    ]
    assert edited(before, edits, CODECS[encoding]) == after
    assert all("\n" not in e["newText"].replace(ending, "") for e in edits if "\r\n" in before)


@given(st.text(max_size=20), st.integers(0, 25), st.sampled_from(list(CODECS)))
def test_columns_there_and_back(line: str, characters: int, encoding: str) -> None:
    unit = ColumnUnit(encoding)
    assert unit.from_client(line, unit.to_client(line, characters)) == min(characters, len(line))
