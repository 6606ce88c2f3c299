"""Every spelling of a remainder is the same set of passes as Python finds by running it."""

from __future__ import annotations

import libcst as cst
import pytest

from zerograd_lint.events.lowering.cycle_tests import compared_remainder, truth_of_remainder
from zerograd_lint.events.scopes.scope import Scope

NOTHING = Scope("", None)

SPELLINGS = [
    *("i % n == 0", "(i + 1) % n == 0", "(1 + i) % n == 0", "(i - 2) % n == 0"),
    *("i % n == n - 1", "i % n == n - 2", "i % n != n - 1", "i % n != 0", "i % n == 1"),
    *("i % n > 0", "i % n >= 1", "i % n < 1", "i % n <= 0", "i % n < n - 1", "i % n >= n - 1"),
    *("i % 6 == 5", "(i + 1) % 6 == 0", "i % 6 < 2", "i % 6 > 2", "i % 6 in (1, 3)"),
    *("i % 6 not in (1, 3)", "i % 6 >= 4", "(i + 7) % 6 == 2", "i % n", "(i + 1) % n", "i % 6"),
]


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("n", [2, 3, 4, 7])
def test_a_cycle_holds_the_passes_that_python_finds(spelling: str, n: int) -> None:
    node = cst.parse_expression(spelling)
    if isinstance(node, cst.Comparison):
        test = compared_remainder(node, NOTHING)
    else:
        assert isinstance(node, cst.BinaryOperation)
        test = truth_of_remainder(node, NOTHING)
    assert test is not None
    period = test.cycle.period if isinstance(test.cycle.period, int) else n
    phases = {phase % period for phase in test.cycle.phases}
    for i in range(30):
        expected = bool(eval(spelling, {"i": i, "n": n}))
        assert (i % period in phases) is (expected is test.holds), (i, spelling)


@pytest.mark.parametrize(
    ("one", "other"),
    [("(i + 1) % n == 0", "i % n == n - 1"), ("i % 4 == 3", "(i + 1) % 4 == 0")],
)
def test_two_spellings_of_one_cycle_are_equal(one: str, other: str) -> None:
    first, second = (compared_remainder(_comparison(text), NOTHING) for text in (one, other))
    assert first is not None and second is not None
    assert (first.cycle, first.holds) == (second.cycle, second.holds)


@pytest.mark.parametrize("spelling", ["i == 0", "i // n == 0", "i % n == k", "'%d' % i == x"])
def test_what_cannot_be_computed_is_not_known(spelling: str) -> None:
    assert compared_remainder(_comparison(spelling), NOTHING) is None


def _comparison(text: str) -> cst.Comparison:
    node = cst.parse_expression(text)
    assert isinstance(node, cst.Comparison)
    return node
