"""The loop stands in a generator function. buggy: wiped"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.05)


def losses():
    for step in range(8):
        yield net(torch.randn(8, 4)).pow(2).mean()


for loss in losses():
    opt.zero_grad()
    loss.backward()
    if BUGGY:
        opt.zero_grad()
    opt.step()
