"""A closure given to a plain optimizer, by keyword. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)


def closure():
    if not BUGGY:
        net.zero_grad()
    loss = net(torch.randn(16, 4)).pow(2).mean()
    loss.backward()
    return loss


for step in range(5):
    opt.step(closure=closure)
