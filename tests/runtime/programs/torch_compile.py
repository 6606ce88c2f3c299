"""A compiled model (traced, not code-generated) and a compiled loss. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = torch.compile(nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1)), backend="aot_eager")
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(6):
    if not BUGGY:
        opt.zero_grad()
    net(torch.randn(8, 4)).pow(2).mean().backward()
    opt.step()
