"""Dies after three steps. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(8):
    if not BUGGY:
        opt.zero_grad()
    net(torch.randn(8, 4)).pow(2).mean().backward()
    opt.step()
    if step == 2:
        raise ValueError("out of batches")
