"""A frozen layer gets no gradient until it is unfrozen. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
trunk, head = nn.Linear(4, 4), nn.Linear(4, 1)
opt = torch.optim.SGD([*trunk.parameters(), *head.parameters()], lr=0.01)
for step in range(12):
    trunk.requires_grad_(step % 6 < 3)
    if BUGGY:
        head.zero_grad()
    else:
        opt.zero_grad()
    head(trunk(torch.randn(8, 4))).pow(2).mean().backward()
    opt.step()
