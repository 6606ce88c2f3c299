"""What is done to scaled gradients by hand: it may divide the scale out, or be meant for them."""

from __future__ import annotations

import pytest

from zerograd_lint import check_source

PROGRAM = """
import torch
import torch.distributed as dist
from elsewhere import make

net = torch.nn.Linear(3, 1)
optimizer = {made}
scaler = torch.amp.GradScaler("cpu")
for x in range(9):
    optimizer.zero_grad()
    scaler.scale(net(x).mean()).backward()
    for p in net.parameters():
        {handled}
    torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
"""
TORCHS = "torch.optim.SGD(net.parameters(), lr=0.1)"
UNREAD = "make(net)"
MAY_UNSCALE = (
    "p.grad.div_(scaler.get_scale())",
    "p.grad /= scaler.get_scale()",
    "p.grad.copy_(p.grad / scaler.get_scale())",
    "unscale(p.grad)",
    "dist.all_reduce(p.grad)",
)
CHANGES_NOTHING = (
    "print(p.shape)",
    "torch.isfinite(p.grad).all()",
    "p.grad.isnan().any()",
)


def lines(handled: str, made: str) -> list[tuple[int, str]]:
    program = PROGRAM.format(handled=handled, made=made)
    return [(finding.line, finding.code) for finding in check_source(program)]


@pytest.mark.parametrize("made", [TORCHS, UNREAD])
@pytest.mark.parametrize("handled", MAY_UNSCALE)
def test_what_may_unscale_is_not_reported_nor_what_follows(handled: str, made: str) -> None:
    assert lines(handled, made) == []


@pytest.mark.parametrize("made", [TORCHS, UNREAD])
@pytest.mark.parametrize("handled", CHANGES_NOTHING)
def test_what_changes_nothing_hides_nothing(handled: str, made: str) -> None:
    assert lines(handled, made) == [(14, "ZG101")]


def test_a_norm_of_scaled_gradients_is_reported() -> None:
    assert lines("print(p.grad.norm())", TORCHS) == [(13, "ZG101"), (14, "ZG101")]


LIMITED = """
import torch

net = torch.nn.Linear(3, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu")


def clip(module, limit, scale):
    torch.nn.utils.clip_grad_norm_(module.parameters(), {limit})


for x in range(9):
    optimizer.zero_grad()
    scaler.scale(net(x).mean()).backward()
    clip(net, 1.0, scaler.get_scale())
    scaler.step(optimizer)
    scaler.update()
"""


@pytest.mark.parametrize("limit", ["limit * scale", "scale * 2.0"])
def test_a_limit_that_is_multiplied_may_carry_the_scale(limit: str) -> None:
    assert check_source(LIMITED.format(limit=limit)) == []


@pytest.mark.parametrize("limit", ["limit", "2 * 0.5"])
def test_a_limit_by_itself_does_not(limit: str) -> None:
    assert [finding.code for finding in check_source(LIMITED.format(limit=limit))] == ["ZG101"]
