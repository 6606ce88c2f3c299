"""Names, layout and an `if True:` around the loop never change the verdict."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.training_programs import program
from tests.fixture_files import programs

from .verdicts import reformatted, renamed, stretched, verdict, wrapped

seeds = st.integers(min_value=0, max_value=10**9)
quick = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])

FIXTURES = [path.read_text() for path in programs("ZG00")]


@quick
@given(seeds)
def test_names_do_not_matter(seed: int) -> None:
    text = program(seed)
    names = {"net_0": "alpha", "net_1": "beta", "opt_0": "gamma", "opt_1": "delta"}
    names |= {"loss_0": "epsilon", "loss_1": "zeta", "x": "eta", "i": "theta", "clear": "iota"}
    assert verdict(renamed(text, names)) == verdict(text), text


@quick
@given(seeds)
def test_layout_does_not_matter(seed: int) -> None:
    text = program(seed)
    assert verdict(reformatted(text)) == verdict(text), text
    assert verdict(stretched(text)) == verdict(text), text
    assert verdict(text.replace("    ", "\t")) == verdict(text), text
    assert verdict(text.replace("\n", "\r\n")) == verdict(text), text


@quick
@given(seeds)
def test_an_if_true_around_the_loop_does_not_matter(seed: int) -> None:
    text = program(seed)
    assert verdict(wrapped(text)) == verdict(text), text


@pytest.mark.parametrize("part", range(4))
def test_the_fixtures_keep_their_verdicts(part: int) -> None:
    for text in FIXTURES[part::8]:
        before = verdict(text)
        assert verdict(reformatted(text)) == before, text
        assert verdict(wrapped(text)) == before, text
