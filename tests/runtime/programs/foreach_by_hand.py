"""All parameters are updated in one call. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
params = list(net.parameters())
for step in range(8):
    net(torch.randn(8, 4)).pow(2).mean().backward()
    with torch.no_grad():
        torch._foreach_add_(params, [p.grad for p in params], alpha=-0.05)
    if not BUGGY:
        net.zero_grad()
