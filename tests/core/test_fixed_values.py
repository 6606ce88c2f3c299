"""What has one value in every run decides which branch is taken; what may be changed does not."""

from __future__ import annotations

import pytest

from zerograd_lint import check_source

LOOP = """
import torch
from elsewhere import load, options
from dataclasses import dataclass, field
from pydantic_settings import BaseSettings
{given}
model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(8):
    loss = model(torch.randn(16, 4)).square().mean()
    if {test}:
        optimizer.zero_grad()
        (loss / 2).backward()
        optimizer.step()
    else:
        loss.backward()
        optimizer.step()
"""
CONSTANTS = {
    "a constant": ("AMP = False", "AMP"),
    "the opposite": ("PLAIN = True", "not PLAIN"),
    "a number": ("WINDOW = 1", "WINDOW > 1"),
    "a text": ('MODE = "plain"', 'MODE == "amp"'),
    "nothing": ("SCALER = None", "SCALER is not None"),
    "named twice": ("OFF = False\nAMP = OFF", "AMP"),
    "a table": ('C = {"amp": False}', 'C["amp"]'),
    "a table that is read": ('C = {"amp": False, "n": 2}\nprint(C["n"], C.get("n"))', 'C["amp"]'),
    "a class": ("class C:\n    amp = False", "C.amp"),
    "an instance": ("class C:\n    amp = False\nc = C()", "c.amp"),
    "a dataclass": ("@dataclass\nclass C:\n    amp: bool = False\nc = C()", "c.amp"),
    "a field": ("@dataclass\nclass C:\n    amp: bool = field(default=False)\nc = C()", "c.amp"),
    "an argument": ("@dataclass\nclass C:\n    amp: bool = True\nc = C(amp=False)", "c.amp"),
    "inherited": ("class B:\n    amp = False\nclass C(B):\n    n = 2", "C.amp"),
}
CHANGED = {
    "by a function": ("AMP = False\ndef on():\n    global AMP\n    AMP = True\non()", "AMP"),
    "by name": ("AMP = False\nglobals().update(options)", "AMP"),
    "by name in a function": (
        "AMP = False\ndef on():\n    globals().update(AMP=True)\non()",
        "AMP",
    ),
    "by code": ("AMP = False\nexec(options)", "AMP"),
    "counted": ("AMP = 0\nAMP += len(options)", "AMP"),
    "in one branch": ("AMP = False\nif options:\n    AMP = True", "AMP"),
    "an element": ('C = {"amp": False}\nC["amp"] = options', 'C["amp"]'),
    "all elements": ('C = {"amp": False}\nC.update(options)', 'C["amp"]'),
    "a table given away": ('C = {"amp": False}\nload(C)', 'C["amp"]'),
    "a table with others": ('C = {"amp": False, **options}', 'C["amp"]'),
    "an attribute": ("class C:\n    amp = False\nC.amp = options", "C.amp"),
    "an attribute by name": ('class C:\n    amp = False\nsetattr(C, "amp", True)', "C.amp"),
    "positions": ("@dataclass\nclass C:\n    amp: bool = False\nc = C(options)", "c.amp"),
    "all arguments": ("@dataclass\nclass C:\n    amp: bool = False\nc = C(**options)", "c.amp"),
    "given away": ("class C:\n    amp = False\nc = C()\nload(c)", "c.amp"),
    "an environment": ("class C(BaseSettings):\n    amp: bool = False\nc = C()", "c.amp"),
    "a constructor": (
        "class C:\n    amp = False\n    def __init__(self):\n        load(self)\nc = C()",
        "c.amp",
    ),
}


def codes(given: str, test: str) -> list[str]:
    return [found.code for found in check_source(LOOP.format(given=given, test=test))]


@pytest.mark.parametrize(("given", "test"), CONSTANTS.values(), ids=CONSTANTS)
def test_a_constant_says_which_branch_is_taken(given: str, test: str) -> None:
    assert codes(given, test) == ["ZG001"]
    assert codes(given, f"not ({test})") == []


@pytest.mark.parametrize(("given", "test"), CHANGED.values(), ids=CHANGED)
def test_what_may_be_changed_is_no_constant(given: str, test: str) -> None:
    found = check_source(LOOP.format(given=given, test=test))
    assert all(each.message.startswith("when AMP is false") for each in found)


def test_a_switch_around_a_loop_hides_nothing() -> None:
    text = LOOP.format(given="TRAIN = False", test="True").replace("optimizer.zero_grad()", "pass")
    head, loop = text.split("for epoch", 1)
    inner = "\n    ".join(("for epoch" + loop).splitlines())
    assert {f.code for f in check_source(f"{head}if TRAIN:\n    {inner}\n")} == {"ZG001"}
