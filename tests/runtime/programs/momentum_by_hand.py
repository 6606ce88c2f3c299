"""Momentum in buffers of one's own. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
velocity = [torch.zeros_like(p) for p in net.parameters()]
for step in range(10):
    net(torch.randn(8, 4)).pow(2).mean().backward()
    with torch.no_grad():
        for p, v in zip(net.parameters(), velocity):
            v.mul_(0.9).add_(p.grad)
            p.sub_(0.02 * v)
    if not BUGGY:
        net.zero_grad()
