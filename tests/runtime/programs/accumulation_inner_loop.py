"""Each batch is cut into chunks that fit into memory. buggy: defeated"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for step in range(8):
    opt.zero_grad()
    for chunk in torch.randn(16, 4).split(4):
        if BUGGY:
            opt.zero_grad()
        (net(chunk).pow(2).mean() / 4).backward()
    opt.step()
