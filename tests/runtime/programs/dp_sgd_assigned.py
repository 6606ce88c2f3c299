"""Differential privacy: the clipped sum replaces what the last sample left. buggy: defeated"""

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
        opt.zero_grad()
        net(x).pow(2).sum().backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        for total, p in zip(totals, net.parameters()):
            total += p.grad
    if not BUGGY:
        for total, p in zip(totals, net.parameters()):
            p.grad = total / 4 + 0.1 * torch.randn_like(total)
    opt.step()
