"""Adam first, then SGD over the same parameters. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opts = [torch.optim.Adam(net.parameters(), lr=0.01), torch.optim.SGD(net.parameters(), lr=0.01)]
for step in range(12):
    opt = opts[step >= 6]
    if not BUGGY or step < 6:
        opt.zero_grad()
    net(torch.randn(8, 4)).pow(2).mean().backward()
    opt.step()
