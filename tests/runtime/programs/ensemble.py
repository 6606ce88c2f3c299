"""Five models with an optimizer each, in lists. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
nets = [nn.Linear(4, 1) for _ in range(5)]
opts = [torch.optim.SGD(net.parameters(), lr=0.05) for net in nets]
for step in range(6):
    x = torch.randn(8, 4)
    for number, (net, opt) in enumerate(zip(nets, opts)):
        if not (BUGGY and number == 3):
            opt.zero_grad()
        net(x).pow(2).mean().backward()
        opt.step()
