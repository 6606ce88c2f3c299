"""What is out of view may clear gradients, so nothing is said; what is in view is said.

These programs need modules that are not there, so they cannot be fixtures that run.
"""

from __future__ import annotations

import pytest

from zerograd_lint import check_source

HEAD = """
import torch
net = torch.nn.Linear(3, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
"""
LOOP = """
for x in batches:
    {before}
    net(x).mean().backward()
    optimizer.step()
"""
TRAINER = """
import torch
{imported}

class Trainer({base}):
    def __init__(self, net, callbacks):
        self.net = net
        self.callbacks = callbacks
        self.optimizer = torch.optim.SGD(net.parameters(), lr=0.1)

    def fire(self, event):
        for callback in self.callbacks:
            {fired}

    def train_batch(self, x):
        self.fire("batch")
        self.net(x).mean().backward()
        self.optimizer.step()
"""
DECORATED = """
{imported}

@{decorator}
def step(x):
    net(x).mean().backward()
    optimizer.step()

for x in batches:
    step(x)
"""
NETWORK = """
import torch
from elsewhere import Gan

def train(gan: torch.nn.Module, batches):
    optimizer = torch.optim.SGD(gan.parameters(), lr=0.1)
    for x in batches:
        {before}
        gan(x).mean().backward()
        optimizer.step()
"""
ANNOTATED = """
import torch
from {module} import Adam

class Trainer:
    def __init__(self, net, optimizer: "Adam | None"):
        self.net, self.optimizer = net, optimizer

    def run(self, batches):
        for x in batches:
            self.net(x).mean().backward()
            self.optimizer.step()
"""
TENSOR = """
import torch
import {module} as library

w = library.{name}([1.0, 2.0], requires_grad=True)
for x in batches:
    (w * x).mean().backward()
    w.data -= 0.1 * w.grad
"""


def trainer(base: str = "object", fired: str = "print(event)", imported: str = "") -> str:
    return TRAINER.format(base=base, fired=fired, imported=imported)


NOT_KNOWN = {
    "base class": trainer("BaseTrainer", imported="from elsewhere import BaseTrainer"),
    "dispatch by name": trainer(fired="getattr(callback, event)(self)"),
    "decorator": HEAD
    + DECORATED.format(decorator="clears", imported="from elsewhere import clears"),
    "decorator with arguments": HEAD
    + DECORATED.format(decorator="clears(optimizer)", imported="from elsewhere import clears"),
    "method for its effect": NETWORK.format(before="gan.reset()"),
    "step hook": HEAD
    + "from elsewhere import hook\noptimizer.register_step_post_hook(hook)\n"
    + LOOP.format(before="pass"),
    "forward hook": HEAD
    + "from elsewhere import hook\nnet.register_forward_pre_hook(hook)\n"
    + LOOP.format(before="pass"),
    "context manager": HEAD
    + "from elsewhere import stepping\n"
    + LOOP.format(before="with stepping(optimizer): pass"),
    "tensors of another library": TENSOR.format(module="elsewhere.autograd", name="Tensor"),
    "a clip of an unread module": HEAD
    + "from elsewhere import adaptive_clip_grad\n"
    + "for x in batches:\n    net(x).mean().backward()\n"
    + "    adaptive_clip_grad(net.parameters())\n    optimizer.step()\n",
    "a reset of an unread module": HEAD
    + "from elsewhere import functional\n"
    + LOOP.format(before="functional.reset_net(net)"),
    "annotation": ANNOTATED.format(module="elsewhere"),
    "backward of another library": HEAD
    + "from elsewhere import costs\nimport elsewhere\n"
    + "for x in batches:\n    optimizer.zero_grad()\n    costs.append(net(x))\n"
    + "    elsewhere.backward()\n    print(net.weight.grad.norm())\n",
}
KNOWN = {
    "no base class": trainer(),
    "tensors of torch": TENSOR.format(module="torch", name="tensor"),
    "an annotation of torch": ANNOTATED.format(module="torch.optim"),
    "a base class of torch": trainer("torch.nn.Module"),
    "a decorator that runs nothing else": HEAD
    + DECORATED.format(decorator="torch.compile", imported=""),
    "method for its value": NETWORK.format(before="y = gan.encode(x)"),
    "a reset of spikingjelly's": HEAD
    + "from spikingjelly.activation_based import functional\n"
    + LOOP.format(before="functional.reset_net(net)"),
    "a reset of snntorch's": HEAD
    + "from snntorch import utils\n"
    + LOOP.format(before="utils.reset(net)"),
    "a clip of timm's": HEAD
    + "from timm.utils import adaptive_clip_grad\n"
    + "for x in batches:\n    net(x).mean().backward()\n"
    + "    adaptive_clip_grad(net.parameters())\n    optimizer.step()\n",
    "a hook that is read": HEAD
    + "def hook(*arguments):\n    print('stepped')\n\noptimizer.register_step_post_hook(hook)\n"
    + LOOP.format(before="pass"),
    "a hook that exchanges gradients": HEAD
    + "net.register_comm_hook(None, hook)\n"
    + LOOP.format(before="pass"),
}


@pytest.mark.parametrize("program", NOT_KNOWN.values(), ids=list(NOT_KNOWN))
def test_what_is_not_known_is_not_reported(program: str) -> None:
    assert check_source(program) == []


@pytest.mark.parametrize("program", KNOWN.values(), ids=list(KNOWN))
def test_its_twin_in_view_is_reported(program: str) -> None:
    assert [finding.code for finding in check_source(program)] == ["ZG001"]


def test_a_test_may_step_twice_on_purpose() -> None:
    """A program would be wrong; a test of what the steps change is not."""
    steps = "    net(torch.ones(2, 3)).sum().backward()\n" + "    optimizer.step()\n" * 3
    assert check_source(f"{HEAD}\ndef test_restores():\n{steps}") == []
    found = check_source(f"{HEAD}\nfor _ in range(9):\n    optimizer.zero_grad()\n{steps}")
    assert [finding.code for finding in found] == ["ZG010", "ZG010"]


TWO_SCALED = """
import torch

net = torch.nn.Linear(3, 1)
warm = torch.optim.SGD(net.parameters(), lr=0.1)
warm.step()
main = {main}
scaler = torch.amp.GradScaler("cpu")
for x in range(9):
    main.zero_grad()
    scaler.scale(net(x).mean()).backward()
    {unscaled}
    torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    scaler.step(main)
    scaler.update()
"""


@pytest.mark.parametrize(
    "main", ["torch.optim.SGD(net.parameters(), lr=0.1)", "optimizers[kind](net)"]
)
def test_what_another_optimizer_may_own_may_be_unscaled_with_it(main: str) -> None:
    unscaled = TWO_SCALED.format(main=main, unscaled="scaler.unscale_(main)")
    assert check_source(unscaled) == []


def test_what_is_not_unscaled_with_any_optimizer_is_scaled() -> None:
    main = "torch.optim.SGD(net.parameters(), lr=0.1)"
    found = check_source(TWO_SCALED.format(main=main, unscaled="pass"))
    assert "ZG101" in [finding.code for finding in found]


@pytest.mark.parametrize(
    ("cleared", "codes"),
    [("net.weight.grad = torch.zeros(1, 3)", []), ("optimizer.zero_grad()", ["ZG008"])],
)
def test_a_gradient_of_zeros_written_by_hand_is_tried_out(cleared: str, codes: list[str]) -> None:
    found = check_source(f"{HEAD}\nfor _ in range(10):\n    {cleared}\n    optimizer.step()\n")
    assert [finding.code for finding in found] == codes
