"""The step runs where the window ends, and not where it does not. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for step in range(20):
    (net(torch.randn(8, 4)).pow(2).mean() / 4).backward()
    if ((step + 1) % 4 != 0) if BUGGY else ((step + 1) % 4 == 0):
        opt.step()
    if (step + 1) % 4 == 0:
        opt.zero_grad()
