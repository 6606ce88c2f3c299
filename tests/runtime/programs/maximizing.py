"""Ascent instead of descent. buggy: wiped"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.01, maximize=True)
for step in range(8):
    opt.zero_grad()
    torch.sigmoid(net(torch.randn(8, 4))).mean().backward()
    if BUGGY:
        opt.zero_grad()
    opt.step()
