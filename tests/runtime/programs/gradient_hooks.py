"""Hooks change each gradient as it arrives. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
for p in net.parameters():
    p.register_hook(lambda gradient: gradient.clamp(-0.1, 0.1))
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for step in range(8):
    if not BUGGY:
        opt.zero_grad()
    net(torch.randn(8, 4)).pow(2).mean().backward()
    opt.step()
