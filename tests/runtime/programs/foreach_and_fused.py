"""Fast optimizer kernels write many parameters at once. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
for options in ({"foreach": True}, {"fused": True}):
    net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
    opt = torch.optim.AdamW(net.parameters(), lr=0.01, **options)
    for step in range(5):
        if not BUGGY:
            opt.zero_grad()
        net(torch.randn(8, 4)).pow(2).mean().backward()
        opt.step()
