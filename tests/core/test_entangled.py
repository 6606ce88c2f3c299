"""A training loop whose callers are too entangled to follow is followed by itself."""

from __future__ import annotations

import pytest

from zerograd_lint import check_source
from zerograd_lint.ledger import allowance

_EPOCH = """\
import torch


def run_epoch(net, batches, optimizer):
    for x in batches:
        {cleared}
        net(x).mean().backward()
        optimizer.step()


def step(net, x, optimizer):
    net(x).mean().backward()
    optimizer.step()


def main(net, batches, settings):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
"""


def tangle(call: str, cleared: str = "pass") -> str:
    """A loop in a function, and a caller with many paths."""
    lines = (
        f"    while settings.more{i}():\n"
        f"        if settings.test{i}():\n            optimizer.zero_grad()\n        {call}\n"
        for i in range(12)
    )
    return _EPOCH.format(cleared=cleared) + "".join(lines)


@pytest.fixture(autouse=True)
def few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Enough for the loop, not for its caller."""
    monkeypatch.setattr(allowance, "_ONE", 60)
    monkeypatch.setattr(allowance, "_LEAST", 60)


def test_the_loop_within_is_followed() -> None:
    text = tangle("run_epoch(net, batches, optimizer)")
    assert [finding.code for finding in check_source(text)] == ["ZG001"]


def test_a_loop_that_clears_is_right() -> None:
    text = tangle("run_epoch(net, batches, optimizer)", "optimizer.zero_grad()")
    assert not check_source(text)


def test_without_a_loop_its_callers_count() -> None:
    assert not check_source(tangle("step(net, batches[0], optimizer)", "optimizer.zero_grad()"))
