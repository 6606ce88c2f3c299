"""The multiplier climbs while the network descends, fed by one loss. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net, multiplier = nn.Linear(4, 1), nn.Parameter(torch.zeros(()))
opt = torch.optim.SGD(net.parameters(), lr=0.05)
dual = torch.optim.SGD([multiplier], lr=0.05, maximize=True)
for step in range(12):
    opt.zero_grad()
    if not BUGGY:
        dual.zero_grad()
    out = net(torch.randn(8, 4))
    (out.pow(2).mean() + multiplier * (out.mean() - 1)).backward()
    opt.step()
    dual.step()
