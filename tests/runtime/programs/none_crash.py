"""`.grad` is None before the first backward, and after zero_grad. buggy: none-crash"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(8):
    net(torch.randn(8, 4)).pow(2).mean().backward()
    opt.step()
    opt.zero_grad()
    norms = [p.grad.norm().item() for p in net.parameters() if BUGGY or p.grad is not None]
