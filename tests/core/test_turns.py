"""Plain turns, in which nothing can go wrong, are told from all else without a look at the flow."""

from __future__ import annotations

import textwrap

import pytest

from zerograd_lint.config.settings import DEFAULT, Settings
from zerograd_lint.prefilter import relevant_part
from zerograd_lint.prefilter.outline import Outline
from zerograd_lint.rules.registry import all_rules, enabled_rules, needs_of
from zerograd_lint.vocabulary.calls import Effect

HEAD = "import torch\nopt = torch.optim.SGD(net.parameters(), lr=1)\n"
TURNS = {
    "zeroed first": "opt.zero_grad()\nnet(x).backward()\nopt.step()",
    "zeroed last": "net(x).backward()\nopt.step()\nopt.zero_grad()",
    "zeroed by its network": "net.zero_grad()\nnet(x).backward()\nopt.step()",
    "a way out before the backward": (
        "opt.zero_grad()\nif x is None:\n    continue\nnet(x).backward()\nopt.step()"
    ),
    "clipped": (
        "opt.zero_grad()\nnet(x).backward()\n"
        "if limit:\n    torch.nn.utils.clip_grad_norm_(net.parameters(), limit)\nopt.step()"
    ),
    "several losses": (
        "opt.zero_grad()\nfor loss in net(x):\n    loss.backward(retain_graph=True)\nopt.step()"
    ),
    "in a context": (
        "opt.zero_grad()\nwith torch.autocast('cuda'):\n    net(x).backward()\nopt.step()"
    ),
    "scaled": (
        "opt.zero_grad()\nscaler.scale(net(x)).backward()\nscaler.unscale_(opt)\n"
        "torch.nn.utils.clip_grad_norm_(net.parameters(), 1)\nscaler.step(opt)\nscaler.update()"
    ),
    "one after the other": (
        "opt.zero_grad()\nnet(x).backward()\nopt.step()\nscheduler.step()\n"
        "other.zero_grad()\ncritic(x).backward()\nother.step()"
    ),
    "in branches": (
        "if x.sum() > 0:\n    opt.zero_grad()\n    net(x).backward()\n    opt.step()\n"
        "else:\n    net(x).backward()\n    opt.step()\n    opt.zero_grad()"
    ),
    "scaled or not, as a setting says": (
        "opt.zero_grad()\nif amp:\n    scaler.scale(net(x)).backward()\n"
        "else:\n    net(x).backward()\n"
        "if not amp:\n    opt.step()\nelse:\n    scaler.step(opt)\n    scaler.update()"
    ),
    "two scaled, updated once": (
        "opt.zero_grad()\nscaler.scale(net(x)).backward()\nscaler.step(opt)\n"
        "if i % 2 == 0:\n    other.zero_grad()\n    scaler.scale(critic(x)).backward()\n"
        "    scaler.step(other)\nscaler.update()"
    ),
    "divided by hand": (
        "opt.zero_grad()\nnet(x).backward()\n"
        "for p in net.parameters():\n    p.grad.data.div_(n)\nopt.step()"
    ),
    "looked at": "opt.zero_grad()\nnet(x).backward()\nprint(w.grad.norm())\nopt.step()",
    "in a function of its own": (
        "def update(batch):\n    opt.zero_grad()\n    net(batch).backward()\n    opt.step()\n"
        "engine.run(update)"
    ),
}
OTHERS = {
    "never zeroed": "net(x).backward()\nopt.step()",
    "zeroed in between": "net(x).backward()\nopt.zero_grad()\nopt.step()",
    "zeroed now and then": "if x > 0:\n    opt.zero_grad()\nnet(x).backward()\nopt.step()",
    "another one zeroed": "other.zero_grad()\nnet(x).backward()\nopt.step()",
    "stepped now and then": "opt.zero_grad()\nnet(x).backward()\nif i % 4 == 0:\n    opt.step()",
    "a way out before the step": (
        "opt.zero_grad()\nnet(x).backward()\nif i % 4:\n    continue\nopt.step()"
    ),
    "a way out before the zeroing": (
        "net(x).backward()\nopt.step()\nif x > 0:\n    continue\nopt.zero_grad()"
    ),
    "zeroed last, unless it fails": (
        "try:\n    net(x).backward()\n    opt.step()\n    opt.zero_grad()\n"
        "except ValueError:\n    pass"
    ),
    "stepped twice": "opt.zero_grad()\nnet(x).backward()\nopt.step()\nopt.step()",
    "divided by the window it trains in": (
        "if i % n == 0:\n    opt.zero_grad()\n    (net(x) / n).backward()\n    opt.step()"
    ),
    "clipped before it is unscaled": (
        "opt.zero_grad()\nscaler.scale(net(x)).backward()\n"
        "torch.nn.utils.clip_grad_norm_(net.parameters(), 1)\nscaler.step(opt)\nscaler.update()"
    ),
    "never updated": "opt.zero_grad()\nscaler.scale(net(x)).backward()\nscaler.step(opt)",
    "scaled before, and stepped plainly": (
        "opt.zero_grad()\nloss = scaler.scale(net(x))\nloss.backward()\nopt.step()"
    ),
    "held back by a launcher": (
        "with accelerator.accumulate(net):\n"
        "    opt.zero_grad()\n    net(x).backward()\n    opt.step()"
    ),
    "no network in sight": "opt.zero_grad()\ncritic(x).backward()\nopt.step()",
    "cleared by a function it runs": ("opt.zero_grad()\nnet(x).backward()\nreport()\nopt.step()"),
    "scaled, and a setting says how it is stepped": (
        "opt.zero_grad()\nif amp:\n    scaler.scale(net(x)).backward()\n"
        "else:\n    net(x).backward()\n"
        "if fast:\n    opt.step()\nelse:\n    scaler.step(opt)\n    scaler.update()"
    ),
    "a setting that changes in between": (
        "opt.zero_grad()\nif amp:\n    scaler.scale(net(x)).backward()\n"
        "else:\n    net(x).backward()\n"
        "amp = not amp\nif amp:\n    scaler.step(opt)\n    scaler.update()\nelse:\n    opt.step()"
    ),
    "the second is not updated": (
        "opt.zero_grad()\nscaler.scale(net(x)).backward()\nscaler.step(opt)\nscaler.update()\n"
        "other.zero_grad()\nscaler.scale(critic(x)).backward()\nscaler.step(other)"
    ),
    "looked at when it is gone": (
        "net(x).backward()\nopt.step()\nopt.zero_grad()\nprint(w.grad.norm())"
    ),
    "looked at while it is scaled": (
        "opt.zero_grad()\nscaler.scale(net(x)).backward()\nprint(w.grad.norm())\n"
        "scaler.step(opt)\nscaler.update()"
    ),
    "a function in the middle of a turn": (
        "def update(batch):\n    opt.zero_grad()\n    net(batch).backward()\n    opt.step()\n"
        "opt.zero_grad()\nupdate(x)\nnet(x).backward()\nopt.step()"
    ),
    "a function that runs another one": (
        "def first(batch):\n    opt.zero_grad()\n    net(batch).backward()\n    opt.step()\n"
        "def second(batch):\n    opt.zero_grad()\n    first(batch)\n    net(batch).backward()\n"
        "    opt.step()\nengine.run(second)"
    ),
    "by hand": "opt.zero_grad()\nnet(x).backward()\nw.data -= w.grad\nopt.step()",
}


def is_read(body: str, settings: Settings = DEFAULT) -> bool:
    """Whether anything of a program with this loop is left to be read."""
    loop = "def train(data, x):\n    for i, x in enumerate(data):\n" + textwrap.indent(
        body, " " * 8
    )
    helper = "\n\ndef report():\n    opt.zero_grad()\n"
    text = HEAD + loop + (helper if "report()" in body else "\n")
    return relevant_part(Outline(text), settings, needs_of(enabled_rules(settings))) is not None


@pytest.mark.parametrize("body", TURNS.values(), ids=TURNS)
def test_plain_turns_are_not_read(body: str) -> None:
    assert not is_read(body)


@pytest.mark.parametrize("body", OTHERS.values(), ids=OTHERS)
def test_all_else_is_read(body: str) -> None:
    assert is_read(body)


@pytest.mark.parametrize("body", TURNS.values(), ids=TURNS)
def test_a_rule_that_does_not_leave_out_turns_gets_them(body: str) -> None:
    rules = all_rules().values()
    asking = [r.code for r in rules if Effect.DEPOSIT | Effect.CONSUME in r.needs]
    assert asking
    assert all(is_read(body, Settings(select=(code,))) for code in asking)
