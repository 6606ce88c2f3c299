"""Hooks clip each gradient once it has been added. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)


def clip(p):
    p.grad.clamp_(-0.1, 0.1)


for p in net.parameters():
    p.register_post_accumulate_grad_hook(clip)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for step in range(8):
    if not BUGGY:
        opt.zero_grad()
    net(torch.randn(8, 4)).pow(2).mean().backward()
    opt.step()
