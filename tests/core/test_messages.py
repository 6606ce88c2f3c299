"""What each rule says of its own example: the owner, the lines, the consequence, the way out."""

from __future__ import annotations

import re

import pytest

from tests.fixture_files import label, programs, settings_for
from zerograd_lint import Finding, check_source
from zerograd_lint.rules.documentation import folder_of
from zerograd_lint.rules.registry import all_rules

MESSAGES = {
    "ZG001": (
        "optimizer.step() applies gradients left over from the previous step: nothing "
        "zeroes 'optimizer' in between; call optimizer.zero_grad() before the backward "
        "(line 17)"
    ),
    "ZG002": (
        "'optimizer' is cleared between backward (line 17) and step (line 19): the step "
        "applies nothing; zero before the backward or after the step"
    ),
    "ZG003": (
        "w.grad is None here on the first pass (no backward has filled it yet) and has no"
        " zero_(): guard it with 'if w.grad is not None'"
    ),
    "ZG004": (
        "'optimizer' is stepped here for every batch but zeroed only outside the loop "
        "(line 11): gradients pile up from batch to batch; zero them in the loop"
    ),
    "ZG005": ("optimizer.zero_grad is named but not called, so nothing is cleared: add ()"),
    "ZG006": (
        "'opt_g' steps but is never zeroed, while line 23 zeroes 'opt_d' in its place: "
        "stale gradients are applied; call opt_g.zero_grad() there"
    ),
    "ZG007": (
        "'optimizer' is cleared on every micro-batch but stepped only now and then (line "
        "17): all but the last micro-batch are lost; zero after the step"
    ),
    "ZG008": (
        "'optimizer' steps before its backward (line 17) in every iteration, and line 14 "
        "clears what it left: the step never has a gradient to apply; step after the "
        "backward"
    ),
    "ZG009": (
        "p.grad is None here: line 15 has set it to None and no backward has come since; "
        "read it before it is cleared"
    ),
    "ZG010": (
        "'optimizer' steps a second time (line 17 is the first) with no backward in between: "
        "the same gradients are applied twice; remove one of the steps"
    ),
    "ZG101": (
        "the gradients of 'optimizer' are still multiplied by the loss scale here (scaled"
        " on line 17): call scaler.unscale_(optimizer) first"
    ),
    "ZG102": (
        "scaler.step(optimizer) comes round again with no scaler.update() in between: the"
        " scale never adapts and the next unscale_ or step raises; call it after the step"
    ),
    "ZG103": (
        "scaler.unscale_(optimizer) runs more than once before its step: the second call "
        "raises; unscale once, right before the clip or the step"
    ),
    "ZG104": (
        "optimizer.step() applies gradients that still carry the loss scale of line 15: "
        "call scaler.step(optimizer) instead"
    ),
    "ZG901": (
        "'opt' may apply gradients left over from the previous step: not every path to "
        "this step passes the zeroing (line 12)"
    ),
    "ZG902": (
        "micro-batches left at the end of an epoch are applied in the next one by "
        "'optimizer': step on the last batch too, or zero at the start of each epoch"
    ),
    "ZG903": (
        "the losses of a window are summed, not averaged, before 'optimizer' steps (line "
        "17): divide the loss by the number of micro-batches"
    ),
    "ZG904": (
        "this clears gradients tensor by tensor: optimizer.zero_grad() sets them to None at once"
    ),
    "ZG905": (
        "this loss, meant for 'opt_g', also adds to the gradients of 'opt_d' before it "
        "steps (line 25): step in between, or detach"
    ),
}


def findings_of(code: str) -> list[Finding]:
    rule = all_rules()[code]
    path = folder_of(rule) / f"bad_{rule.example}.py"
    text = path.read_text(encoding="utf-8")
    return [f for f in check_source(text, settings=settings_for(path)) if f.code == code]


@pytest.mark.parametrize("code", list(all_rules()))
def test_the_example_gets_this_message(code: str) -> None:
    assert code in MESSAGES, "a new rule needs a line in this table"
    assert findings_of(code)[0].message == MESSAGES[code]


@pytest.mark.parametrize("path", programs(), ids=label)
def test_messages_fit_one_line_and_no_editor_mistakes_them(path) -> None:  # type: ignore[no-untyped-def]
    text = path.read_text(encoding="utf-8")
    for finding in check_source(text, settings=settings_for(path)):
        assert "\n" not in finding.message
        assert len(finding.message) <= 240
        # pylsp reads the last `:1:2: ` of a line as the place of the finding.
        assert not re.search(r":\d*:\d*: ", finding.message)
        assert all(related.message for related in finding.related)
