"""The weight is computed from its direction and its length. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.utils.parametrizations.weight_norm(nn.Linear(4, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for step in range(8):
    if not BUGGY:
        opt.zero_grad()
    net(torch.randn(8, 4)).pow(2).mean().backward()
    opt.step()
