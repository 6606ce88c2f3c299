"""One embedding in two optimizers: both apply its gradient, and neither is stale. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
shared, head = nn.Linear(4, 4), nn.Linear(4, 1)
opt_a = torch.optim.SGD(shared.parameters(), lr=0.01)
opt_b = torch.optim.Adam([*shared.parameters(), *head.parameters()], lr=0.01)
for step in range(8):
    opt_b.zero_grad()
    head(shared(torch.randn(8, 4))).pow(2).mean().backward()
    opt_a.step()
    if BUGGY:
        head(shared(torch.randn(8, 4))).pow(2).mean().backward()
    opt_b.step()
