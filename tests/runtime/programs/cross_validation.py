"""A new model and a new optimizer for every fold. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
for fold in range(3):
    net = nn.Linear(4, 1)
    opt = torch.optim.Adam(net.parameters(), lr=0.05)
    for step in range(5):
        if not (BUGGY and fold == 1):
            opt.zero_grad()
        net(torch.randn(8, 4)).pow(2).mean().backward()
        opt.step()
