"""A backward for one network only. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
one, other = nn.Linear(4, 4), nn.Linear(4, 1)
opt = torch.optim.SGD(one.parameters(), lr=0.05)
opt_other = torch.optim.SGD(other.parameters(), lr=0.05)
for step in range(10):
    if not BUGGY:
        opt.zero_grad()
    other(one(torch.randn(8, 4))).mean().backward(inputs=list(one.parameters()))
    opt.step()
    opt_other.zero_grad()
    other(one(torch.randn(8, 4)).detach()).pow(2).mean().backward()
    opt_other.step()
