"""A helper computes gradients only to measure them, before each batch. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.05)


def gradients(x):
    net(x).pow(2).mean().backward()
    return torch.cat([p.grad.flatten() for p in net.parameters()])


for step in range(12):
    norms = []
    for probe in range(2):
        norms.append(float(gradients(torch.randn(8, 4)).norm()))
        if not BUGGY:
            opt.zero_grad()
    gradients(torch.randn(8, 4))
    opt.step()
    if not BUGGY:
        opt.zero_grad()
