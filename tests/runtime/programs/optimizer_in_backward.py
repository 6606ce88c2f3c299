"""Each parameter is stepped from a hook as soon as its gradient is complete. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1))
optimizers = {p: torch.optim.SGD([p], lr=0.1) for p in net.parameters()}


def update(p):
    optimizers[p].step()
    if not BUGGY:
        optimizers[p].zero_grad()


for p in net.parameters():
    p.register_post_accumulate_grad_hook(update)
for step in range(6):
    net(torch.randn(8, 4)).pow(2).mean().backward()
