"""A constant loss scale, divided out by hand. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for step in range(8):
    if not BUGGY:
        opt.zero_grad()
    (net(torch.randn(8, 4)).pow(2).mean() * 1024).backward()
    for p in net.parameters():
        p.grad /= 1024
    opt.step()
