"""Cleared once per epoch, although a step runs for every batch. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for epoch in range(3):
    opt.zero_grad()
    for batch in range(4):
        net(torch.randn(8, 4)).pow(2).mean().backward()
        opt.step()
        if not BUGGY:
            opt.zero_grad()
