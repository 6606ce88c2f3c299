"""A denoising network with a moving average. buggy: stale"""

import copy
import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(5, 16), nn.SiLU(), nn.Linear(16, 4))
mean = copy.deepcopy(net)
opt = torch.optim.AdamW(net.parameters(), lr=0.01)
for step in range(10):
    x, noise, t = torch.randn(16, 4), torch.randn(16, 4), torch.rand(16, 1)
    if not BUGGY:
        opt.zero_grad()
    (net(torch.cat([x * (1 - t) + noise * t, t], 1)) - noise).pow(2).mean().backward()
    opt.step()
    for p, q in zip(mean.parameters(), net.parameters()):
        p.data.mul_(0.9).add_(q.data, alpha=0.1)
