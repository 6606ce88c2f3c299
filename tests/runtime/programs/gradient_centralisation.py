"""The mean is taken out of every gradient. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(8, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for step in range(8):
    if not BUGGY:
        opt.zero_grad()
    net(torch.randn(8, 8)).pow(2).mean().backward()
    net.weight.grad -= net.weight.grad.mean(1, keepdim=True)
    opt.step()
