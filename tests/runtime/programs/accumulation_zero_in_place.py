"""Accumulation defeated by zeroing in place, through .data. buggy: defeated"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for batch in range(20):
    for p in net.parameters():
        if p.grad is not None and (BUGGY or batch % 4 == 0):
            p.grad.data.zero_()
    (net(torch.randn(8, 4)).pow(2).mean() / 4).backward()
    if batch % 4 == 3:
        opt.step()
