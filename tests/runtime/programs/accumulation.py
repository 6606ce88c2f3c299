"""Gradients gathered over four micro-batches, with an incomplete last window. buggy: defeated"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    opt.zero_grad()
    for batch in range(10):
        if BUGGY:
            opt.zero_grad()
        (net(torch.randn(8, 4)).pow(2).mean() / 4).backward()
        if batch % 4 == 3:
            opt.step()
            opt.zero_grad()
