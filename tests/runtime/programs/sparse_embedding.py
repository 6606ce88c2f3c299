"""Sparse gradients are summed by concatenation. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
table, head = nn.Embedding(20, 4, sparse=True), nn.Linear(4, 1)
opt = torch.optim.SparseAdam(table.parameters(), lr=0.01)
opt_head = torch.optim.SGD(head.parameters(), lr=0.01)
for step in range(8):
    opt_head.zero_grad()
    if not BUGGY:
        opt.zero_grad()
    head(table(torch.randint(20, (8,)))).pow(2).mean().backward()
    opt.step()
    opt_head.step()
