"""One row of the gradient is cleared, which is no zeroing. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Embedding(10, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for step in range(8):
    if not BUGGY:
        opt.zero_grad()
    net(torch.randint(0, 10, (8,))).pow(2).mean().backward()
    net.weight.grad[0] = 0
    opt.step()
