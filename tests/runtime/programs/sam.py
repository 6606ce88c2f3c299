"""Sharpness-aware minimisation: the first gradient is used by hand. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(10):
    x = torch.randn(8, 4)
    moves = []
    for half in range(2):
        net(x).pow(2).mean().backward()
        if half == 0:
            with torch.no_grad():
                for p in net.parameters():
                    moves.append(0.05 * p.grad / p.grad.norm())
                    p.add_(moves[-1])
            if not BUGGY:
                opt.zero_grad()
    with torch.no_grad():
        for p, move in zip(net.parameters(), moves):
            p.sub_(move)
    opt.step()
    if not BUGGY:
        opt.zero_grad()
