"""Weights are rounded in the forward pass. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
w = nn.Parameter(torch.randn(4, 1))
opt = torch.optim.SGD([w], lr=0.05)
for step in range(8):
    if not BUGGY:
        opt.zero_grad()
    rounded = w + (w.round() - w).detach()
    (torch.randn(8, 4) @ rounded - 1).pow(2).mean().backward()
    opt.step()
