"""Parameters updated through .data, which leaves no trace in the version counter. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1))
for step in range(8):
    net(torch.randn(8, 4)).pow(2).mean().backward()
    for p in net.parameters():
        p.data.add_(p.grad.data, alpha=-0.1)
        if not BUGGY:
            p.grad.data.zero_()
