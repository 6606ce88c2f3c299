"""A context manager clears on the way in and steps on the way out. buggy: stale"""

import sys
from contextlib import contextmanager

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.05)


@contextmanager
def update(optimizer):
    if not BUGGY:
        optimizer.zero_grad()
    yield
    optimizer.step()


for step in range(8):
    with update(opt):
        net(torch.randn(8, 4)).pow(2).mean().backward()
