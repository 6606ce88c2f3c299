"""An attack moves the input along its gradient, several times per batch. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for step in range(6):
    x = torch.randn(8, 4)
    shift = torch.zeros_like(x, requires_grad=True)
    for attack in range(3):
        net(x + shift).pow(2).mean().backward()
        shift.data = (shift + 0.1 * shift.grad.sign()).clamp(-0.3, 0.3)
        shift.grad.zero_()
    if not BUGGY:
        opt.zero_grad()
    net(x + shift.detach()).pow(2).mean().backward()
    opt.step()
