"""A fix parses, touches nothing else, and once applied leaves nothing to apply."""

from __future__ import annotations

import ast

from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from benchmarks.training_programs import program
from zerograd_lint import Settings, check_source
from zerograd_lint.check.document import open_document
from zerograd_lint.config.settings import DEFAULT
from zerograd_lint.files.kinds import PYTHON
from zerograd_lint.fixing.apply import apply
from zerograd_lint.fixing.rounds import FixedDocument, fix

seeds = st.integers(min_value=0, max_value=10**9)
quick = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def fixed(text: str, settings: Settings = DEFAULT) -> FixedDocument:
    """What `--fix --unsafe-fixes` does to a file with this text."""
    document = open_document(PYTHON, text.encode(), "program.py", settings)
    return fix(document, document.check(document.text), unsafe=True)


@quick
@given(seeds)
def test_fixing_ends_and_is_idempotent(seed: int) -> None:
    once = fixed(program(seed))
    ast.parse(once.text)
    again = fixed(once.text)
    assert again.text == once.text
    assert again.applied == 0


@quick
@given(seeds)
@example(48)  # the moved zeroing is all there is under its `if`
@example(85280)  # the step that is stale is not the one that leaves its gradients behind
def test_what_is_offered_is_done(seed: int) -> None:
    """No fix is offered that cannot be applied, or that leaves its finding for ever."""
    text = program(seed)
    offered = [finding for finding in check_source(text) if finding.fix is not None]
    for finding in offered:
        assert apply(text, [finding], unsafe=True).count == 1, text
    assert all(finding.fix is None for finding in fixed(text).remaining), text


@quick
@given(seeds)
def test_a_fix_removes_its_own_finding(seed: int) -> None:
    text = program(seed)
    # Two steps of one optimizer can be stale each for its own reason.
    assume(all(text.count(f"opt_{n}.step()") <= 1 for n in range(2)))
    findings = check_source(text)
    for finding in findings:
        applied = apply(text, [finding], unsafe=True)
        if applied.count:
            left = [f for f in check_source(applied.text) if f.code == finding.code]
            assert len(left) < sum(f.code == finding.code for f in findings), text


@quick
@given(seeds)
def test_a_fix_touches_nothing_but_zeroing(seed: int) -> None:
    """Without the lines that clear gradients, and tests around them, all is as it was."""
    text = program(seed)
    mended = fixed(text).text
    assert _apart_from_zeroing(mended) == _apart_from_zeroing(text), mended


def _apart_from_zeroing(text: str) -> list[str]:
    left_out = ("zero_", "clear(", "if ", "pass")
    return [line for line in text.split("\n") if not any(word in line for word in left_out)]


@quick
@given(seeds)
def test_comments_and_line_ends_survive(seed: int) -> None:
    text = "\n".join(
        f"{line}  # {number}" if line.strip() else line
        for number, line in enumerate(program(seed).split("\n"))
    ).replace("\n", "\r\n")
    document = open_document(PYTHON, text.encode(), "program.py", DEFAULT)
    result = fix(document, document.check(document.text), unsafe=True)
    mended = document.to_bytes(result.text).decode()
    assert "\n" not in mended.replace("\r\n", "")
    comments = {line.rpartition("#")[2] for line in text.split("\r\n") if "step()" in line}
    assert comments <= {line.rpartition("#")[2] for line in mended.split("\r\n")}


def test_opt_in_rules_are_fixed_as_safely() -> None:
    everything = Settings(extend_select=("ALL",))
    for seed in range(30):
        once = fixed(program(seed), everything)
        ast.parse(once.text)
        assert fixed(once.text, everything).applied == 0
