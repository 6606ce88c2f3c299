"""Following paths stays cheap, however a program is entangled, and grows with its size alone.

Work is counted, never timed: in steps of the automata, or in calls of Python functions.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType

import pytest

from benchmarks.tangled_programs import (
    cascade,
    chain,
    crowd,
    diamonds,
    functions,
    ifs,
    lines,
    loops,
    methods,
    mutual,
    own_networks,
    ring,
    tries,
)
from zerograd_lint import Finding, check_source
from zerograd_lint.flow.explore import Explorer

Shape = Callable[[int], str]


def calls(text: str) -> int:
    """How many Python functions run while a text is checked: the same number every time."""
    count = 0

    def tally(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(tally)
    try:
        check_source(text)
    finally:
        sys.setprofile(None)
    return count


def steps(text: str, monkeypatch: pytest.MonkeyPatch) -> tuple[int, list[Finding]]:
    """How many steps the automata take through a text, and what is found."""
    taken = 0
    spend = Explorer._spend

    def tally(self: Explorer[int], amount: int) -> None:
        nonlocal taken
        taken += amount
        spend(self, amount)

    monkeypatch.setattr(Explorer, "_spend", tally)
    findings = check_source(text)
    return taken, findings


@pytest.mark.parametrize(
    ("shape", "size"), [(ring, 500), (crowd, 500), (methods, 500), (chain, 2_000)]
)
def test_many_functions(shape: Shape, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bound on a line's steps shrinks with the size, so that a square shows in either."""
    text = shape(size)
    taken, _ = steps(text, monkeypatch)
    assert taken < size // 20 * text.count("\n")


@pytest.mark.parametrize(
    ("shape", "size"),
    [(cascade, 300), (ifs, 600), (diamonds, 60), (loops, 90), (tries, 300)],
)
def test_a_tangle_ends(shape: Shape, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    taken, _ = steps(shape(size), monkeypatch)
    assert taken < 1_500_000


def test_what_is_called_from_everywhere_is_followed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has called, and with what names, makes no difference to a function that trains."""
    taken, findings = steps(cascade(150), monkeypatch)
    assert len(findings) == 150
    assert taken < 20_000  # where something may be wrong, it is followed a second time


def test_deep_call_chains_keep_their_finding() -> None:
    text = chain(20).replace("    if x:\n        optimizer.zero_grad()\n", "")
    assert [finding.code for finding in check_source(text)] == ["ZG001"]


@pytest.mark.parametrize(
    ("shape", "size"),
    [
        *((functions, 60), (lines, 300), (ring, 150), (mutual, 100), (methods, 100), (chain, 100)),
        *((ifs, 100), (tries, 75), (own_networks, 60)),
    ],
)
def test_cost_grows_with_size_alone(shape: Shape, size: int) -> None:
    check_source(shape(3))
    assert calls(shape(2 * size)) < 2.3 * calls(shape(size))
