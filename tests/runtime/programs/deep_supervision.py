"""Losses at two depths, backward one after the other, three optimizers. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
stem, middle, top = nn.Linear(4, 8), nn.Linear(8, 8), nn.Linear(8, 1)
aside = nn.Linear(8, 1)
opts = [
    torch.optim.SGD(stem.parameters(), lr=0.01),
    torch.optim.SGD([*middle.parameters(), *aside.parameters()], lr=0.01),
    torch.optim.SGD(top.parameters(), lr=0.01),
]
for step in range(10):
    for number, opt in enumerate(opts):
        if not (BUGGY and number == 1):
            opt.zero_grad()
    low = torch.tanh(stem(torch.randn(8, 4)))
    high = torch.tanh(middle(low))
    aside(high).pow(2).mean().backward(retain_graph=True)
    top(high).pow(2).mean().backward()
    for opt in opts:
        opt.step()
