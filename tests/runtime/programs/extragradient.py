"""A trial step to look ahead, undone before the real one. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for step in range(8):
    x = torch.randn(8, 4)
    if not BUGGY:
        opt.zero_grad()
    net(x).pow(2).mean().backward()
    kept = [p.detach().clone() for p in net.parameters()]
    with torch.no_grad():
        for p in net.parameters():
            p -= 0.05 * p.grad
    if not BUGGY:
        opt.zero_grad()
    net(x).pow(2).mean().backward()
    with torch.no_grad():
        for p, old in zip(net.parameters(), kept):
            p.copy_(old)
    opt.step()
