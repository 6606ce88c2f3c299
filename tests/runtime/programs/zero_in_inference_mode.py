"""Gradients are cleared inside inference_mode. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for step in range(8):
    with torch.inference_mode():
        for p in net.parameters():
            if p.grad is not None and not BUGGY:
                p.grad.zero_()
    net(torch.randn(8, 4)).pow(2).mean().backward()
    opt.step()
