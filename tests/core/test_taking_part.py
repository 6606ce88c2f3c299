"""Which files that could report nothing alone are read with the modules that they import."""

from __future__ import annotations

from pathlib import Path

import pytest

from zerograd_lint import check_source

ENGINE = """\
import torch


def train_step(net, optimizer, batch):
    net(batch).sum().backward()
    optimizer.step()


def make_step(net, optimizer):
    def step(batch):
        train_step(net, optimizer, batch)

    return step


class Stepper:
    def __init__(self, net, optimizer):
        self.net, self.optimizer = net, optimizer

    def __call__(self, batch):
        train_step(self.net, self.optimizer, batch)


class Trainer:
    def __init__(self, net):
        self.net = net
        self.solver = torch.optim.SGD(net.parameters(), lr=0.1)

    def clear(self):
        self.solver.zero_grad()

    def compute_loss(self, batch):
        return self.net(batch).sum()

    def fit(self, batches):
        for batch in batches:
            self.clear()
            loss = self.compute_loss(batch)
            loss.backward()
            self.solver.step()
"""
HEAD = """\
import torch
from engine import Stepper, Trainer, make_step, train_step


def main(net, batches):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
"""
REPEATED = {
    "by a loop": """\
    for batch in batches:
        train_step(net, optimizer, batch)
""",
    "by a comprehension": """\
    [train_step(net, optimizer, batch) for batch in batches]
""",
    "in a function of its own": """\
    def one(batch):
        train_step(net, optimizer, batch)

    for batch in batches:
        one(batch)
""",
    "as what a function gives back": """\
    step = make_step(net, optimizer)
    for batch in batches:
        step(batch)
""",
    "as an instance": """\
    step = Stepper(net, optimizer)
    for batch in batches:
        step(batch)
""",
}
OVERRIDES = "import torch\nfrom engine import Trainer\n\n\nclass Mine(Trainer):  # optimizer\n"


def codes(folder: Path, text: str) -> list[str]:
    (folder / "engine.py").write_text(ENGINE)
    (folder / "main.py").write_text(text)
    return [found.code for found in check_source(text, str(folder / "main.py"))]


@pytest.mark.parametrize("way", REPEATED)
def test_a_step_of_another_module_is_repeated(way: str, tmp_path: Path) -> None:
    assert codes(tmp_path, HEAD + REPEATED[way]) == ["ZG001"]


def test_another_loop_repeats_nothing(tmp_path: Path) -> None:
    once = "    train_step(net, optimizer, batches[0])\n"
    loop = "    for each in batches:\n        print(each)\n"
    assert codes(tmp_path, HEAD + once + loop) == []


def test_a_class_takes_away_what_inherited_code_runs(tmp_path: Path) -> None:
    text = (
        OVERRIDES + "    def clear(self):\n        for each in (1, 2):\n            print(each)\n"
    )
    assert codes(tmp_path, text) == ["ZG001"]


def test_a_value_that_inherited_code_works_with_changes_nothing(tmp_path: Path) -> None:
    text = (
        OVERRIDES
        + "    def compute_loss(self, batch):\n        return sum(self.net(x) for x in batch)\n"
    )
    assert codes(tmp_path, text) == []
