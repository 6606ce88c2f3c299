"""A closure that gathers the gradients of several micro-batches. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.01)


def closure():
    if not BUGGY:
        opt.zero_grad()
    for part in torch.randn(16, 4).split(4):
        (net(part).pow(2).mean() / 4).backward()


for step in range(8):
    opt.step(closure)
