"""An optimizer that clears its gradients at the end of its own step. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)


class Clearing(torch.optim.SGD):
    def step(self, closure=None):
        super().step(closure)
        if not BUGGY:
            self.zero_grad()


net = nn.Linear(4, 1)
opt = Clearing(net.parameters(), lr=0.05)
for step in range(8):
    net(torch.randn(8, 4)).pow(2).mean().backward()
    opt.step()
