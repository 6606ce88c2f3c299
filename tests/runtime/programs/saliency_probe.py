"""Every third step the gradient of the input is looked at, and all is cleared. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for step in range(12):
    x = torch.randn(8, 4)
    if step % 3 == 0:
        probe = x.clone().requires_grad_()
        net(probe).sum().backward()
        saliency = probe.grad.abs()
        opt.zero_grad()
    net(x).pow(2).mean().backward()
    opt.step()
    if not BUGGY:
        opt.zero_grad()
