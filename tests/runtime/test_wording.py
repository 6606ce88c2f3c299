"""Numbers in words, and charts with round ticks."""

from __future__ import annotations

import pytest

from zerograd_lint.runtime.compare.settled_words import loss_in_words
from zerograd_lint.runtime.html.chart_scale import step_scale, value_scale
from zerograd_lint.runtime.observation import AuditReport
from zerograd_lint.runtime.wording import (
    EXPLANATIONS,
    advice,
    counted,
    shown,
    size_and_direction,
)


@pytest.mark.parametrize(
    ("size", "cosine", "words"),
    [
        (9.0, 0.4067, "the applied gradient was 9 times too large, pointing 66° away"),
        (2.0, 1.0, "the applied gradient was 2 times too large, pointing the right way"),
        (0.25, 0.5, "the applied gradient was only 25% of the right length, pointing 60° away"),
        (1.0, -1.0, "the applied gradient was of the right length, pointing 180° away"),
        (31234.0, 0.0, "the applied gradient was 3.1·10⁴ times too large, pointing 90° away"),
    ],
)
def test_size_and_direction(size: float, cosine: float, words: str) -> None:
    assert size_and_direction(size, cosine) == words


@pytest.mark.parametrize(
    ("number", "text"),
    [
        *((0.0, "0"), (0.04, "0.04"), (1200.0, "1200"), (30000.0, "3·10⁴"), (1e-5, "10⁻⁵")),
        *((-0.5, "-0.5"), (123.4, "123"), (9999.0, "9999")),
    ],
)
def test_numbers_are_written_as_people_write_them(number: float, text: str) -> None:
    assert shown(number) == text


def test_every_kind_says_what_to_change() -> None:
    assert all(advice(kind) for kind in EXPLANATIONS)


def test_where_there_is_no_optimizer_none_is_to_be_called() -> None:
    assert not any("zero_grad" in advice(kind, by_hand=True) for kind in ("stale", "wiped"))


def test_one_is_no_plural() -> None:
    assert counted(1, "step") == "1 step"
    assert counted(0, "step") == "0 steps"
    assert counted(1, "backward pass") == "1 backward pass"
    assert counted(2, "backward pass") == "2 backward passes"


def loss(*ends: float | None) -> AuditReport:
    points = [(1, 1.0), *((step, end) for step, end in enumerate(ends, 2))]
    keys = {"owner": 1.0, "norm": 1.0, "error": None}
    return AuditReport(curve=[{**keys, "step": float(s), "loss": value} for s, value in points])


def test_the_end_of_the_loss() -> None:
    assert loss_in_words(loss(3e4), loss(0.04)) == "the loss ended at 3·10⁴ instead of 0.04"
    nan = "the loss ended as no number at all instead of 0.04"
    assert loss_in_words(loss(5.0, None), loss(0.04)) == nan
    assert loss_in_words(loss(0.04), loss(0.05)) is None
    assert loss_in_words(loss(None), loss(None)) is None
    assert loss_in_words(AuditReport(), AuditReport()) is None


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ([0.3, 0.7], [0.0, 0.2, 0.4, 0.6, 0.8]),
        ([3.0, 9.5], [0.0, 5.0, 10.0]),
        ([-1.0, 1.0], [-1.0, -0.5, 0.0, 0.5, 1.0]),
        ([0.0], [0.0, 0.5]),
        ([1.0, 1.0], [0.0, 0.5, 1.0]),
        ([0.02, 3e4], [0.01, 1.0, 100.0, 1e4, 1e6]),
    ],
)
def test_ticks_are_round(values: list[float], ticks: list[float]) -> None:
    assert value_scale(values, 0, 1).ticks == pytest.approx(ticks)


@pytest.mark.parametrize(
    ("steps", "ticks"), [([1.0, 2.0], [0, 1, 2]), ([5.0, 198.0], [0, 50, 100, 150, 200])]
)
def test_steps_have_no_fractions(steps: list[float], ticks: list[float]) -> None:
    assert step_scale(steps, 0, 1).ticks == ticks
