"""A sparse and a dense optimizer side by side. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
vectors, head = nn.Embedding(30, 4, sparse=True), nn.Linear(4, 30)
opts = [torch.optim.SparseAdam(vectors.parameters()), torch.optim.Adam(head.parameters())]
for step in range(8):
    for opt in opts[BUGGY:]:
        opt.zero_grad()
    nn.functional.cross_entropy(
        head(vectors(torch.randint(0, 30, (8,)))), torch.randint(0, 30, (8,))
    ).backward()
    for opt in opts:
        opt.step()
