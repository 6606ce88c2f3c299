"""The learning rate of an inner loop learns through that loop. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
rate = nn.Parameter(torch.tensor(-2.0))
opt = torch.optim.SGD([rate], lr=0.01)
for step in range(8):
    w = torch.zeros(3, requires_grad=True)
    for inner in range(3):
        (g,) = torch.autograd.grad((w - 1).pow(2).sum(), w, create_graph=True)
        w = w - rate.exp() * g
    if not BUGGY:
        opt.zero_grad()
    (w - 1.1).pow(2).sum().backward()
    opt.step()
