"""Rejected trial steps are undone and their gradients cleared. buggy: stale"""

import copy
import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
x, y = torch.randn(32, 4), torch.randn(32, 1)
opt = torch.optim.SGD(net.parameters(), lr=2.0)
best = float("inf")
for step in range(20):
    saved = copy.deepcopy(net.state_dict())
    if not BUGGY:
        opt.zero_grad()
    (net(x) - y).pow(2).mean().backward()
    opt.step()
    with torch.no_grad():
        loss = (net(x) - y).pow(2).mean().item()
    if loss > best:
        net.load_state_dict(saved)
        opt.param_groups[0]["lr"] /= 2
    best = min(best, loss)
