"""The last layer's gradient is thrown away on purpose while it is frozen. buggy: wiped"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(8):
    opt.zero_grad()
    net(torch.randn(8, 4)).pow(2).mean().backward()
    for p in net.parameters() if BUGGY else net[2].parameters():
        p.grad = None
    opt.step()
