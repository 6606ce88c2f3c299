"""Differential privacy sample by sample, with a single weight. buggy: defeated"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
w = nn.Parameter(torch.ones(1))
opt = torch.optim.SGD([w], lr=0.05)
for step in range(10):
    total = torch.zeros_like(w)
    for x in torch.randn(4):
        opt.zero_grad(set_to_none=False)
        (w * x - 1).pow(2).sum().backward()
        total += w.grad.clamp(-1, 1)
    if not BUGGY:
        w.grad.copy_(total + 0.1 * torch.randn_like(total))
    opt.step()
