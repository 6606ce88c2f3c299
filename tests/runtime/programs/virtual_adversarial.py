"""An attack is found by a backward; what it left elsewhere is cleared. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for step in range(8):
    x = torch.randn(8, 4)
    d = (0.1 * torch.randn_like(x)).requires_grad_()
    (net(x + d) - net(x).detach()).pow(2).mean().backward()
    d = 0.1 * d.grad / d.grad.norm()
    if not BUGGY:
        net.zero_grad()
    net(x).logsumexp(1).mean().backward()
    (net(x + d) - net(x).detach()).pow(2).mean().backward()
    opt.step()
    if not BUGGY:
        net.zero_grad()
