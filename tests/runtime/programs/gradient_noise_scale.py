"""Gradients of small batches are measured alone, then summed by hand. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for step in range(8):
    total = [torch.zeros_like(p) for p in net.parameters()]
    for part in torch.randn(16, 4).split(4):
        if not BUGGY:
            opt.zero_grad()
        net(part).pow(2).mean().backward()
        for sum_, p in zip(total, net.parameters()):
            sum_ += p.grad
    if not BUGGY:
        for sum_, p in zip(total, net.parameters()):
            p.grad = sum_ / 4
    opt.step()
