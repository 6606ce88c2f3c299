"""A fix parses, touches nothing else, and once applied leaves nothing to apply."""

from __future__ import annotations

import ast
from collections import Counter

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from benchmarks.training_programs import program
from zerograd_lint import Finding, Settings, check_source
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
@example(7)  # two steps of one optimizer are stale, each for its own reason
def test_a_fix_alone_removes_its_finding_and_adds_none(seed: int) -> None:
    text = program(seed)
    findings = check_source(text)
    for finding in findings:
        if finding.fix is None:
            continue
        applied = apply(text, [finding], unsafe=True)
        ast.parse(applied.text)
        left = check_source(applied.text)
        assert len(left) < len(findings), text
        own = line_of(text, finding)
        assert reported(applied.text, left)[own] < reported(text, findings)[own], text


def line_of(text: str, finding: Finding) -> str:
    return text.split("\n")[finding.line - 1].strip()


def reported(text: str, findings: list[Finding]) -> Counter[str]:
    """How many findings stand on lines that read the same."""
    return Counter(line_of(text, finding) for finding in findings)


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
