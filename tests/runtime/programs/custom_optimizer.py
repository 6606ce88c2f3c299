"""An optimizer of one's own, which keeps gradients itself and frees the buffers. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv


class KeepsGradients(torch.optim.Optimizer):
    def __init__(self, params):
        super().__init__(params, {})

    def collect(self):
        for group in self.param_groups:
            for p in group["params"]:
                self.state[p]["kept"] = p.grad.clone()
                if not BUGGY:
                    p.grad = None

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                p -= 0.1 * self.state[p]["kept"]


torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = KeepsGradients(net.parameters())
for step in range(8):
    net(torch.randn(8, 4)).pow(2).mean().backward()
    opt.collect()
    opt.step()
