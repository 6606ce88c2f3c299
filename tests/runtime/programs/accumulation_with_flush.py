"""The incomplete last window is applied as well. buggy: defeated"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for epoch in range(4):
    for batch in range(10):
        if BUGGY:
            opt.zero_grad()
        (net(torch.randn(8, 4)).pow(2).mean() / 4).backward()
        if (batch + 1) % 4 == 0 or batch == 9:
            opt.step()
            opt.zero_grad()
