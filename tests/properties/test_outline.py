"""Leaving out what cannot matter keeps every line in its place and changes no finding."""

from __future__ import annotations

import ast

import pytest

from tests.fixture_files import programs
from zerograd_lint import engine
from zerograd_lint.outline import relevant_text
from zerograd_lint.settings import DEFAULT

IDLE = '''
def one_line(x): return x

def long_signature(
    a,
    b=(1,
       2)) -> int:
    """Docstring with optimizer.step() in it."""
    return a \\
        + b

def body_on_the_last_line_of_the_signature(a,
                                           b): return a

class Outer:
    """Speaks of loss.backward()."""

    class Inner:
        @property
        def value(self):
            @decorated
            def nested():
                text = """
not indented # at all
"""
                return text
            return nested

    async def wait(self):
        # a comment first
        pass
    def separator(self):
        return '\u2028'

class Tabs:
\tdef tabs(self):
\t\treturn 1

if True:
    def conditional():
        yield 1
'''
PROGRAMS = [path.read_text() for path in programs("ZG00")][::5]


@pytest.mark.parametrize("text", PROGRAMS)
def test_findings_and_lines_stay(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = IDLE + text.replace("from __future__ import annotations\n", "")
    kept = relevant_text(text)
    if kept:
        ast.parse(kept)
        before, after = text.split("\n"), kept.split("\n")
        assert len(before) == len(after)
        for old, new in zip(before, after, strict=True):
            assert new in (old, "") or new.strip() == "pass"
    pruned = engine.check(text, "a.py", DEFAULT)
    monkeypatch.setattr(engine, "relevant_text", lambda text, names: text)
    assert engine.check(text, "a.py", DEFAULT) == pruned


def test_what_cannot_matter_goes() -> None:
    text = IDLE + PROGRAMS[0]
    kept = relevant_text(text)
    assert "return nested" not in kept
    assert "def nested" not in kept
    assert "def one_line(x): return x" in kept


def test_talk_of_gradients_is_not_enough() -> None:
    talk = 'import torch\n\ndef f():\n    """loss.backward(); optimizer.step()"""\n    # .grad\n'
    assert relevant_text(talk + "    return 1\n") == ""


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_line_ends_stay(ending: str) -> None:
    text = (IDLE + PROGRAMS[0]).replace("\n", ending)
    assert relevant_text(text).count(ending) == text.count(ending)
