"""An optimizer of one's own whose step takes the loss. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)


class Polyak(torch.optim.Optimizer):
    def __init__(self, params):
        super().__init__(params, {})

    @torch.no_grad()
    def step(self, loss=None):
        params = [p for g in self.param_groups for p in g["params"]]
        norm = sum(p.grad.pow(2).sum() for p in params)
        for p in params:
            p -= min(loss / norm, 0.1) * p.grad


net = nn.Linear(4, 1)
opt = Polyak(net.parameters())
for step in range(10):
    if not BUGGY:
        opt.zero_grad()
    loss = net(torch.randn(8, 4)).pow(2).mean()
    loss.backward()
    opt.step(loss.item())
