"""What each rule says of its own example: the owner, the lines, the consequence, the way out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.fixture_files import ROOT, label, programs, settings_for
from zerograd_lint import check_source

MESSAGES = sorted(ROOT.glob("*/*.message.txt"))


@pytest.mark.parametrize("expected", MESSAGES, ids=label)
def test_the_program_gets_the_message_beside_it(expected: Path) -> None:
    path = expected.with_name(expected.name.replace(".message.txt", ".py"))
    findings = check_source(path.read_text(encoding="utf-8"), settings=settings_for(path))
    assert findings[0].message == expected.read_text(encoding="utf-8").removesuffix("\n")


@pytest.mark.parametrize("path", programs(), ids=label)
def test_messages_fit_one_line_and_no_editor_mistakes_them(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for finding in check_source(text, settings=settings_for(path)):
        assert "\n" not in finding.message
        assert len(finding.message) <= 240
        # pylsp reads the last `:1:2: ` of a line as the place of the finding.
        assert not re.search(r":\d*:\d*: ", finding.message)
        assert all(related.message for related in finding.related)
