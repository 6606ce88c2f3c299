"""Any text gets findings, silence or one clear line, and gets it soon."""

from __future__ import annotations

import time

import pytest

from zerograd_lint import Finding, SourceError, check_source

from .texts import BUG, ODDITIES, TEXTS, in_a_function

PATIENCE = 8.0
"""CPU seconds, many times what any of them needs: only what grows out of hand gets there."""


def checked(text: str) -> list[Finding] | str:
    started = time.process_time()
    result: list[Finding] | str
    try:
        result = check_source(text)
    except SourceError as error:
        assert error.message and "\n" not in error.message
        assert 1 <= error.line <= text.count("\n") + text.count("\r") + 2
        result = error.message
    assert time.process_time() - started < PATIENCE
    return result


@pytest.mark.parametrize("size", [90, 1_000, 8_000])
@pytest.mark.parametrize("name", TEXTS)
def test_a_monster_beside_a_bug(name: str, size: int) -> None:
    result = checked(BUG + TEXTS[name](size) + "\n")
    if size == 90 and not name.startswith("never") and "pattern" not in name:
        assert not isinstance(result, str), result
        assert [finding.code for finding in result] == ["ZG001"]


@pytest.mark.parametrize("size", [300, 2_000])
@pytest.mark.parametrize("name", TEXTS)
def test_a_monster_in_training_code(name: str, size: int) -> None:
    checked(BUG + in_a_function(TEXTS[name](size)))


@pytest.mark.parametrize("name", ODDITIES)
def test_an_oddity(name: str) -> None:
    checked(ODDITIES[name])


@pytest.mark.parametrize(
    "name",
    [
        "byte order mark",
        "carriage returns",
        "mixed line ends",
        "form feeds",
        "tabs",
        "separators Python does not know",
        "no newline at the end",
        "unusual letters",
    ],
)
def test_what_is_merely_odd_is_still_checked(name: str) -> None:
    result = checked(ODDITIES[name])
    assert not isinstance(result, str), result
    assert [finding.code for finding in result] == ["ZG001"]


def test_a_table_of_data_costs_no_finding() -> None:
    """Large literals that touch nothing are left out before the slow parser reads the rest."""
    table = "TABLE = [\n" + "    [1.5, 2.5, 'abc', (1, 2)],\n" * 20_000 + "]\n"
    started = time.process_time()
    assert [f.code for f in check_source(table + BUG)] == ["ZG001"]
    assert time.process_time() - started < PATIENCE


def test_a_very_long_line_is_named() -> None:
    with pytest.raises(SourceError, match="a line of more than 250,000 characters") as caught:
        check_source(BUG + "x = '" + "a" * 9_000_000 + "'\n")
    assert caught.value.line == BUG.count("\n") + 1
