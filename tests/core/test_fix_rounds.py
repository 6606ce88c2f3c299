"""A fix is applied only where libcst reads the result, and rounds go on until none is left."""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest

from tests.hostile.texts import BUG, TEXTS
from zerograd_lint import Edit, Finding, Fix, Position, SourceError, Span
from zerograd_lint.fixing.apply import AppliedFixes, apply
from zerograd_lint.fixing.read_back import refusal
from zerograd_lint.fixing.rounds import MOST_ROUNDS, fix


def finding(line: int, replacement: str, *, columns: tuple[int, int] = (1, 1)) -> Finding:
    span = Span(Position(line, columns[0]), Position(line, columns[1]))
    return Finding("ZG001", "a-rule", "", span, (), Fix("", (Edit(span, replacement),), True))


@pytest.mark.parametrize(
    "text", ["x = 1\n", "x = 1", "", "x = 1\r\n", "\x0c\nx = 1\n", "é = 'ü'\n"]
)
def test_what_libcst_writes_back_is_accepted(text: str) -> None:
    assert refusal(text) == ""


@pytest.mark.parametrize("text", ["\x0cx = 1\n", "x = 1\ry = 2\r", "\ufeffx = 1\n"])
def test_what_libcst_writes_back_differently_is_refused(text: str) -> None:
    assert refusal(text).startswith("libcst does not write it back unchanged")


@pytest.mark.parametrize("text", ["x = (\n", "if x:\n", "'\ud800'\n", "x = 1\n  y = 2\n"])
def test_what_libcst_cannot_parse_is_refused(text: str) -> None:
    assert refusal(text).startswith("cannot parse: ")


@pytest.mark.parametrize("size", [1_000, 8_000])
@pytest.mark.parametrize("name", TEXTS)
def test_no_text_crashes_libcst_or_takes_for_ever(name: str, size: int) -> None:
    started = time.process_time()
    assert "\n" not in refusal(BUG + TEXTS[name](size) + "\n")
    assert time.process_time() - started < 8.0


def test_one_broken_fix_leaves_the_others() -> None:
    fixes = [finding(1, "a = 1\n"), finding(2, "(\n"), finding(3, "c = 1\n")]
    applied = apply("x = 1\ny = 1\nz = 1\n", fixes)
    assert applied == AppliedFixes(
        "a = 1\nx = 1\ny = 1\nc = 1\nz = 1\n", 2, "cannot parse: invalid syntax"
    )


def test_fixes_of_one_place_wait_for_each_other() -> None:
    fixes = [finding(1, "a", columns=(1, 2)), finding(1, "b", columns=(1, 2))]
    assert apply("x = 1\n", fixes) == AppliedFixes("a = 1\n", 1)


class Countdown:
    """A document in which each fix leaves a finding, as many times as it says."""

    text = "0\n"

    def __init__(self, rounds: int, *, broken_at: int | None = None) -> None:
        self._rounds = rounds
        self._broken_at = broken_at

    def check(self, text: str) -> list[Finding]:
        number = int(text)
        if number == self._broken_at:
            raise SourceError("broken")
        return (
            [finding(1, str(number + 1), columns=(1, len(text)))] if number < self._rounds else []
        )

    def apply(self, text: str, findings: Sequence[Finding], *, unsafe: bool) -> AppliedFixes:
        return apply(text, findings, unsafe=unsafe)


def test_rounds_go_on_until_nothing_is_left() -> None:
    document = Countdown(4)
    fixed = fix(document, document.check(document.text), unsafe=False)
    assert (fixed.text, fixed.applied, fixed.remaining, fixed.refused) == ("4\n", 4, [], "")


def test_rounds_end() -> None:
    document = Countdown(10**9)
    fixed = fix(document, document.check(document.text), unsafe=False)
    assert fixed.applied == MOST_ROUNDS
    assert fixed.remaining


def test_a_result_that_cannot_be_checked_is_not_kept() -> None:
    document = Countdown(4, broken_at=2)
    fixed = fix(document, document.check(document.text), unsafe=False)
    assert (fixed.text, fixed.applied, fixed.refused) == ("1\n", 1, "broken")
    assert fixed.remaining
