"""Gradients are clipped unit by unit, against the size of the weights. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(8, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for step in range(8):
    if not BUGGY:
        opt.zero_grad()
    net(torch.randn(8, 8)).pow(2).mean().backward()
    for p in net.parameters():
        bound = 0.1 * p.detach().norm() / (p.grad.norm() + 1e-6)
        p.grad.mul_(bound.clamp(max=1.0))
    opt.step()
