"""Two optimizers, and the same one is cleared twice. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
one, other = nn.Linear(4, 1), nn.Linear(4, 1)
first = torch.optim.SGD(one.parameters(), lr=0.05)
second = torch.optim.SGD(other.parameters(), lr=0.05)
for step in range(8):
    first.zero_grad()
    (first if BUGGY else second).zero_grad()
    (one(torch.randn(8, 4)) + other(torch.randn(8, 4))).pow(2).mean().backward()
    first.step()
    second.step()
