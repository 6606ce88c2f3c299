"""A recurrent network is trained in pieces; several backwards per step. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
cell, head = nn.RNNCell(3, 4), nn.Linear(4, 1)
opt = torch.optim.SGD([*cell.parameters(), *head.parameters()], lr=0.05)
for sequence in range(5):
    hidden = torch.zeros(2, 4)
    if not BUGGY:
        opt.zero_grad()
    for piece in range(3):
        hidden = hidden.detach()
        for moment in range(2):
            hidden = cell(torch.randn(2, 3), hidden)
        head(hidden).pow(2).mean().backward()
    opt.step()
