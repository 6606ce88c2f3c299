"""A small transformer with tied embeddings. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
embedding = nn.Embedding(20, 8)
layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)
opt = torch.optim.AdamW([*embedding.parameters(), *layer.parameters()], lr=0.01)
for step in range(6):
    words = torch.randint(0, 20, (4, 6))
    out = layer(embedding(words[:, :-1])) @ embedding.weight.T
    if not BUGGY:
        opt.zero_grad()
    nn.functional.cross_entropy(out.flatten(0, 1), words[:, 1:].flatten()).backward()
    opt.step()
