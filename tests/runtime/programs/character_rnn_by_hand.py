"""The tutorial's recurrent network with an update by hand. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
cell, head = nn.Linear(7, 4), nn.Linear(4, 3)
params = [*cell.parameters(), *head.parameters()]
for line in range(8):
    hidden = torch.zeros(1, 4)
    if not BUGGY:
        cell.zero_grad()
        head.zero_grad()
    for letter in range(4):
        hidden = torch.tanh(cell(torch.cat([torch.randn(1, 3), hidden], 1)))
    nn.functional.cross_entropy(head(hidden), torch.tensor([line % 3])).backward()
    for p in params:
        p.data.add_(p.grad.data, alpha=-0.05)
