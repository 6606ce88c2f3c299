"""A second backward on perturbed embeddings adds to the first, on purpose. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
embedding, head = nn.Embedding(10, 4), nn.Linear(4, 1)
opt = torch.optim.SGD([*embedding.parameters(), *head.parameters()], lr=0.05)
for step in range(8):
    words = torch.randint(0, 10, (8,))
    if not BUGGY:
        opt.zero_grad()
    head(embedding(words)).pow(2).mean().backward()
    kept = embedding.weight.detach().clone()
    with torch.no_grad():
        embedding.weight += 0.1 * embedding.weight.grad / embedding.weight.grad.norm()
    head(embedding(words)).pow(2).mean().backward()
    with torch.no_grad():
        embedding.weight.copy_(kept)
    opt.step()
