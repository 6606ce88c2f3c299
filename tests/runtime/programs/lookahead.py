"""An optimizer around an optimizer: one step, not two. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv


class Lookahead(torch.optim.Optimizer):
    def __init__(self, inner):
        self.inner = inner
        super().__init__([p for g in inner.param_groups for p in g["params"]], {})

    def step(self, closure=None):
        return self.inner.step(closure)


torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = Lookahead(torch.optim.Adam(net.parameters(), lr=0.1))
for step in range(8):
    if not BUGGY:
        opt.zero_grad()
    net(torch.randn(8, 4)).pow(2).mean().backward()
    opt.step()
