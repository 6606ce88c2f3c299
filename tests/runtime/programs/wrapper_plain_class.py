"""A wrapper for the learning rate that is no optimizer itself. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)


class Warmup:
    def __init__(self, optimizer):
        self.optimizer, self.steps = optimizer, 0

    def step(self):
        self.steps += 1
        for group in self.optimizer.param_groups:
            group["lr"] = 0.01 * min(1.0, self.steps / 4)
        self.optimizer.step()


net = nn.Linear(4, 1)
opt = Warmup(torch.optim.Adam(net.parameters()))
for step in range(10):
    if not BUGGY:
        opt.optimizer.zero_grad()
    net(torch.randn(8, 4)).pow(2).mean().backward()
    opt.step()
