"""Two of three gradients overflow; the guard skips them. buggy: defeated"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for step in range(36):
    opt.zero_grad()
    x = torch.randn(8, 4)
    if step % 3 and not BUGGY:
        x = x * float("inf")
    net(x).pow(2).mean().backward()
    if step % 3 if BUGGY else not net.weight.grad.isfinite().all():
        continue
    opt.step()
