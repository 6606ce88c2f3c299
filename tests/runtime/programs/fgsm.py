"""An attack's backward soils the model, which is cleaned before the model's own. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(8):
    x = torch.randn(8, 4, requires_grad=True)
    net(x).pow(2).mean().backward()
    attacked = (x + 0.1 * x.grad.sign()).detach()
    if not BUGGY:
        opt.zero_grad()
    net(attacked).pow(2).mean().backward()
    opt.step()
