"""A new optimizer every epoch, with clean and with soiled buffers. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
for epoch in range(8):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    if not BUGGY:
        opt.zero_grad()
    net(torch.randn(8, 4)).pow(2).mean().backward()
    opt.step()
