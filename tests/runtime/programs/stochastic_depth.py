"""Layers are left out at random. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
layers = nn.ModuleList(nn.Linear(4, 4) for _ in range(4))
opt = torch.optim.SGD(layers.parameters(), lr=0.05)
for step in range(12):
    if not BUGGY:
        opt.zero_grad()
    x = torch.randn(8, 4)
    for layer in layers:
        if torch.rand(()) > 0.4 or layer is layers[0]:
            x = x + torch.tanh(layer(x))
    x.pow(2).mean().backward()
    opt.step()
