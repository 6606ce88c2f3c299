"""A fix is offered only if it holds, and the message advises what it does."""

from __future__ import annotations

from collections import Counter

import pytest

from zerograd_lint import Edit, Finding, Fix, Position, Settings, Span, check_source
from zerograd_lint.check import fix_choice
from zerograd_lint.check.draft import Draft, Remedy
from zerograd_lint.check.fix_choice import FixChoice
from zerograd_lint.fixing.apply import apply

TEXT = "a()\nb()\n"


def finding(line: int) -> Finding:
    return Finding("ZG001", "a-rule", "it is wrong", Span(Position(line, 1), Position(line, 4)))


def drafts_of(text: str) -> list[Draft]:
    """Every line that calls a() or b() is wrong."""
    return [
        Draft(finding(number), (), "")
        for number, line in enumerate(text.split("\n"), 1)
        if line in ("a()", "b()")
    ]


def replacing(line: int, code: str) -> Fix:
    span = Span(Position(line, 1), Position(line, 4))
    return Fix("a fix", (Edit(span, code),), True)


def decided(*remedies: Remedy, work: int = 1) -> Finding:
    choice = FixChoice(TEXT, drafts_of(TEXT), drafts_of, work)
    return choice.decide(Draft(finding(1), remedies, "do something"))


def test_a_fix_that_removes_its_finding_is_offered_with_its_advice() -> None:
    fix = replacing(1, "c()")
    chosen = decided(Remedy("call c", fix))
    assert (chosen.fix, chosen.message) == (fix, "it is wrong: call c")


@pytest.mark.parametrize("code", ["a()\na()", "b()", "b(", "a()\nc()"])
def test_a_fix_that_does_not_hold_is_neither_offered_nor_advised(code: str) -> None:
    chosen = decided(Remedy("", replacing(1, code)))
    assert chosen.fix is None
    assert chosen.message == "it is wrong: do something"


def test_the_first_fix_that_holds_is_taken() -> None:
    good = replacing(1, "c()")
    chosen = decided(
        Remedy("call b", replacing(1, "b()")), Remedy("call c", good), Remedy("", None)
    )
    assert (chosen.fix, chosen.message) == (good, "it is wrong: call c")


def test_what_cannot_be_written_is_still_advice() -> None:
    assert decided(Remedy("move it by hand", None)).message == "it is wrong: move it by hand"


def test_checking_fixes_has_a_limit_beyond_the_first_ones() -> None:
    large, good = fix_choice._MOST_WORK + 1, replacing(1, "c()")
    wrong = [Remedy("", replacing(1, "b()"))] * (fix_choice._AT_LEAST - 1)
    chosen = decided(*wrong, Remedy("call c", good), work=large)
    assert (chosen.fix, chosen.message) == (good, "it is wrong: call c")
    chosen = decided(*wrong, *wrong[:1], Remedy("call c", good), work=large)
    assert (chosen.fix, chosen.message) == (None, "it is wrong: call c")


HEAD = """\
import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu")
"""
CLIPPED = """\
for step, x in enumerate(batches):
    scaler.scale(model(x).pow(2).mean() / 3).backward()
    # in the units of the loss
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    if step % 3 == 2:
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
"""


def test_an_unscaling_never_moves_behind_its_clip() -> None:
    text = HEAD + CLIPPED
    (found,) = [f for f in check_source(text) if f.code == "ZG103"]
    fixed = apply(text, [found], unsafe=True).text
    assert fixed == HEAD + CLIPPED.replace(
        """\
    # in the units of the loss
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    if step % 3 == 2:
""",
        """\
    if step % 3 == 2:
        # in the units of the loss
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
""",
    )


def test_a_result_that_is_used_elsewhere_is_not_moved_away() -> None:
    text = HEAD + CLIPPED.replace("    nn.utils", "    norm = nn.utils") + "    print(norm)\n"
    assert [f.fix for f in check_source(text) if f.code == "ZG103"] == [None]


def test_rules_that_are_turned_off_judge_fixes_as_well() -> None:
    """Whatever is selected, the same fix is offered."""
    text = HEAD + CLIPPED.replace("    # in the units of the loss\n", "")
    everything = {(f.code, f.line): f.fix for f in check_source(text)}
    for code, count in Counter(code for code, _ in everything).items():
        alone = check_source(text, settings=Settings(select=(code,)))
        assert len(alone) == count
        assert all(everything[f.code, f.line] == f.fix for f in alone)


@pytest.mark.parametrize(
    ("comment", "fixed"),
    [
        ("# backprop", "    optimizer.zero_grad()\n    # backprop\n"),
        ("# %% backprop", "    # %% backprop\n    optimizer.zero_grad()\n"),
    ],
)
def test_a_comment_stays_with_its_line_and_the_head_of_a_cell_at_its_beginning(
    comment: str, fixed: str
) -> None:
    loop = (
        f"for x in batches:\n    {comment}\n    model(x).mean().backward()\n    optimizer.step()\n"
    )
    (found,) = check_source(HEAD + loop)
    applied = apply(HEAD + loop, [found], unsafe=True)
    assert applied.text == HEAD + loop.replace(f"    {comment}\n", fixed)
