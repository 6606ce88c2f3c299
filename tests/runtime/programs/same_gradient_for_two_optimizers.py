"""Two optimizers of the same parameters each apply one gradient once. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
first = torch.optim.SGD(net.parameters(), lr=0.01)
second = torch.optim.RMSprop(net.parameters(), lr=0.001)
for step in range(10):
    net(torch.randn(8, 4)).pow(2).mean().backward()
    first.step()
    second.step()
    if not BUGGY:
        first.zero_grad()
