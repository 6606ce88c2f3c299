"""Ends itself with a status of its own after a correct step."""

import sys

import torch
from torch import nn

net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    opt.zero_grad()
    net(torch.randn(8, 4)).sum().backward()
    opt.step()
sys.exit(7)
