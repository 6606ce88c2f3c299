"""The weights of the losses are parameters themselves. buggy: wiped"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net, log_vars = nn.Linear(4, 2), nn.Parameter(torch.zeros(2))
opt = torch.optim.Adam([{"params": net.parameters()}, {"params": [log_vars], "lr": 0.1}], lr=0.01)
for step in range(10):
    opt.zero_grad()
    losses = net(torch.randn(16, 4)).pow(2).mean(0)
    (losses * (-log_vars).exp() + log_vars).sum().backward()
    if BUGGY:
        opt.zero_grad()
    opt.step()
