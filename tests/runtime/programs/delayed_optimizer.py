"""One optimizer steps every batch, the other gathers four. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
trunk, head = nn.Linear(4, 4), nn.Linear(4, 1)
opt_trunk = torch.optim.SGD(trunk.parameters(), lr=0.01)
opt_head = torch.optim.SGD(head.parameters(), lr=0.01)
for step in range(16):
    opt_head.zero_grad()
    head(trunk(torch.randn(8, 4))).pow(2).mean().backward()
    opt_head.step()
    if step % 4 == 3:
        opt_trunk.step()
        if not BUGGY:
            opt_trunk.zero_grad()
