"""Programs that could fool an audit: each is run as it is, and again with a bug put in."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from zerograd_lint.runtime.running.program import Program
from zerograd_lint.runtime.running.program_pool import ProgramPool
from zerograd_lint.runtime.running.run_outcome import RunOutcome

from .conftest import PROGRAMS

_BUGGY = re.compile(r'^""".*buggy: (\S+)"""$', re.MULTILINE)
_FILES = sorted(PROGRAMS.glob("*.py"))


def kind_when_buggy(path: Path) -> str:
    found = _BUGGY.search(path.read_text())
    assert found, f"{path.name} does not say what its bug is"
    return found[1]


@pytest.fixture(scope="module", params=_FILES, ids=lambda path: path.stem)
def path(request: pytest.FixtureRequest) -> Path:
    chosen: Path = request.param
    return chosen


@pytest.fixture(scope="module")
def as_it_is(path: Path, pool: ProgramPool) -> RunOutcome:
    """The right program's run, which two tests look at."""
    return pool.start(Program(path)).result()


def test_there_are_enough_programs() -> None:
    assert len(_FILES) >= 150


def test_the_right_program_is_clean(as_it_is: RunOutcome) -> None:
    outcome = as_it_is
    assert outcome.reason is None, outcome.tail()
    assert outcome.report.clean, outcome.report.text()
    assert outcome.report.steps > 0


def test_the_buggy_program_is_caught(path: Path, pool: ProgramPool) -> None:
    outcome = pool.start(Program(path, ("--buggy",))).result()
    kind = kind_when_buggy(path)
    if kind != "none-crash":
        assert outcome.reason is None, outcome.tail()
    assert kind in outcome.report.kinds(), outcome.report.text()
    found = next(each for each in outcome.report.observations if each.kind == kind)
    from_a_string = found.site.file.startswith("<string")
    assert from_a_string == path.stem.startswith("executed_")
    assert from_a_string or Path(found.site.file).name == path.name


def test_clearing_applied_gradients_changes_nothing_in_a_right_program(
    path: Path, as_it_is: RunOutcome, pool: ProgramPool
) -> None:
    from zerograd_lint.runtime.compare.gradient_difference import difference_between

    enforced = pool.start(Program(path, enforce=True)).result()
    assert as_it_is.vectors
    assert not difference_between(as_it_is.vectors, enforced.vectors).matters
