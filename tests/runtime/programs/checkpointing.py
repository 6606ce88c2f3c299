"""Reentrant checkpointing runs a backward within the backward. buggy: stale"""

import sys

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
block, head = nn.Sequential(nn.Linear(4, 4), nn.Tanh()), nn.Linear(4, 1)
opt = torch.optim.SGD([*block.parameters(), *head.parameters()], lr=0.01)
for step in range(8):
    if not BUGGY:
        opt.zero_grad()
    x = torch.randn(8, 4, requires_grad=True)
    head(checkpoint(block, x, use_reentrant=step % 2 == 0)).pow(2).mean().backward()
    opt.step()
