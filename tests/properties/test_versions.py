"""A file that is edited step by step has the findings that it has when it is read afresh."""

from __future__ import annotations

import ast
import random
from pathlib import Path

import pytest

from tests.fixture_files import label, programs, settings_for
from zerograd_lint.check import engine
from zerograd_lint.check.reading import UNDERSTOOD
from zerograd_lint.check.versions import VERSIONS
from zerograd_lint.config.settings import Settings
from zerograd_lint.finding import Finding, SourceError
from zerograd_lint.prefilter.outline import Outline

PIECES = [
    *("x", " ", "\n", "    ", "(", ")", '"""', "'", "#", ":", ";", "\\\n", "\f", "\r\n", "@", "é"),
    *("else:", "x = 1; y = 2\n", "\ndef f(): pass\n", "\nclass C: 'doc'\n", "if x:\n", "@g\n"),
    *("optimizer.zero_grad()", ".backward()", "loss = 1\n", '"""doc"""; z = 3\n', "pass\n"),
]


def edited(text: str, chance: random.Random) -> str:
    """A text with something typed, deleted, or a line moved."""
    place = chance.randrange(len(text) + 1)
    match chance.randrange(4):
        case 0:
            return text[:place] + text[place + chance.randrange(1, 9) :]
        case 1:
            lines = text.splitlines(keepends=True)
            lines.insert(chance.randrange(len(lines) + 1), lines.pop(chance.randrange(len(lines))))
            return "".join(lines)
    return text[:place] + chance.choice(PIECES) + text[place:]


def versions(text: str, seed: int) -> list[str]:
    """Texts, each a small change away from one before it; most of them can be parsed."""
    chance = random.Random(seed)
    found = [text]
    for _ in range(30):
        after = edited(text, chance)
        found.append(after)
        if Outline(after).is_valid:
            text = after
    return found


def tree_of(outline: Outline) -> str:
    try:
        return ast.dump(outline.tree, include_attributes=True)
    except (SyntaxError, ValueError) as error:
        return f"{type(error).__name__}: {error}"


def findings(text: str, settings: Settings) -> list[Finding] | str:
    try:
        return engine.check(text, "a.py", settings)
    except SourceError as error:
        return f"{error.message} {error.line}:{error.column}"


@pytest.mark.parametrize("path", list(programs())[::4], ids=label)
def test_the_tree_is_that_of_the_whole_text(path: Path) -> None:
    remains = None
    for text in versions(path.read_text(encoding="utf-8"), seed=len(path.name)):
        outline = Outline(text, remains)
        assert tree_of(outline) == tree_of(Outline(text)), text
        remains = outline.remains


@pytest.mark.parametrize("path", list(programs("ZG"))[::8], ids=label)
def test_findings_are_those_of_the_whole_text(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = settings_for(path)
    texts = versions(path.read_text(encoding="utf-8"), seed=len(path.name))
    with monkeypatch.context() as editor:
        editor.setattr(VERSIONS, "most", 2)
        editor.setattr(UNDERSTOOD, "most", 3)
        editor.setattr(VERSIONS, "_last", {})
        step_by_step = [findings(text, settings) for text in texts]
    monkeypatch.setattr(UNDERSTOOD, "most", 0)
    assert step_by_step == [findings(text, settings) for text in texts]
