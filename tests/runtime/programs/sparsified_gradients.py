"""Only the largest entries are applied; the rest is kept for later, by hand. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(8, 4)
rest = torch.zeros(4, 8)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for step in range(10):
    if not BUGGY:
        opt.zero_grad()
    net(torch.randn(8, 8)).pow(2).mean().backward()
    if not BUGGY:
        total = net.weight.grad + rest
        kept = total * (total.abs() > total.abs().median())
        rest = total - kept
        net.weight.grad = kept
    opt.step()
