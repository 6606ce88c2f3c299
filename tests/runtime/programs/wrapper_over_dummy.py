"""A wrapper that is an optimizer over a dummy, and steps the real one inside. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)


class Wrapper(torch.optim.Optimizer):
    def __init__(self, inner):
        super().__init__([torch.zeros(1, requires_grad=True)], {"lr": 0.0})
        self.inner = inner

    def zero_grad(self, set_to_none=True):
        self.inner.zero_grad(set_to_none)

    def step(self, closure=None):
        return self.inner.step(closure)


net = nn.Linear(4, 1)
opt = Wrapper(torch.optim.SGD(net.parameters(), lr=0.05))
for step in range(8):
    if not BUGGY:
        opt.zero_grad()
    net(torch.randn(8, 4)).pow(2).mean().backward()
    opt.step()
