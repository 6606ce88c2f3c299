"""All gradients are cleared in one call. buggy: wiped"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for step in range(8):
    net(torch.randn(8, 4)).pow(2).mean().backward()
    if BUGGY:
        torch._foreach_zero_([p.grad for p in net.parameters()])
    opt.step()
    torch._foreach_zero_([p.grad for p in net.parameters()])
