"""What each rule says of its own example: the owner, the lines, the consequence, the way out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fixture_files import ROOT, label, settings_for
from zerograd_lint import check_source

MESSAGES = sorted(ROOT.glob("*/*.message.txt"))


@pytest.mark.parametrize("expected", MESSAGES, ids=label)
def test_the_program_gets_the_message_beside_it(expected: Path) -> None:
    path = expected.with_name(expected.name.replace(".message.txt", ".py"))
    findings = check_source(path.read_text(encoding="utf-8"), settings=settings_for(path))
    assert findings[0].message == expected.read_text(encoding="utf-8").removesuffix("\n")
