"""Clipping rewrites every gradient between backward and step. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(8):
    if not BUGGY:
        opt.zero_grad(set_to_none=step % 2 == 0)
    net(torch.randn(8, 4)).pow(2).mean().backward()
    nn.utils.clip_grad_norm_(net.parameters(), 0.01)
    opt.step()
