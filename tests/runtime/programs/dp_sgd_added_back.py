"""Differential privacy: the sum is added to buffers that were cleared once more. buggy: defeated"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for step in range(10):
    totals = [torch.zeros_like(p) for p in net.parameters()]
    for x in torch.randn(4, 4):
        opt.zero_grad(set_to_none=False)
        net(x).pow(2).sum().backward()
        for total, p in zip(totals, net.parameters()):
            total += p.grad.clamp(-1, 1)
    if not BUGGY:
        opt.zero_grad(set_to_none=False)
        for total, p in zip(totals, net.parameters()):
            p.grad.add_(total / 4)
    opt.step()
