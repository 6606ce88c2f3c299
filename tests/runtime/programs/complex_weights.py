"""Weights that are complex numbers. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
w = nn.Parameter(torch.randn(4, 1, dtype=torch.complex64))
opt = torch.optim.SGD([w], lr=0.05)
for step in range(8):
    if not BUGGY:
        opt.zero_grad()
    (torch.randn(8, 4, dtype=torch.complex64) @ w - 1).abs().pow(2).mean().backward()
    opt.step()
