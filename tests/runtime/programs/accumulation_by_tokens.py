"""A window ends when enough tokens have been seen. buggy: defeated"""

import random
import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
random.seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
tokens = 0
for step in range(60):
    if BUGGY:
        opt.zero_grad()
    size = random.randint(4, 12)
    net(torch.randn(size, 4)).pow(2).sum().backward()
    tokens += size
    if tokens >= 24:
        opt.step()
        opt.zero_grad()
        tokens = 0
