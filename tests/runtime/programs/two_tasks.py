"""Two losses of one network, backward one after the other. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
body, heads = nn.Linear(4, 8), [nn.Linear(8, 1), nn.Linear(8, 2)]
params = [*body.parameters(), *(p for head in heads for p in head.parameters())]
opt = torch.optim.Adam(params, lr=0.01)
for step in range(8):
    if not BUGGY:
        opt.zero_grad()
    for head in heads:
        head(torch.tanh(body(torch.randn(8, 4)))).pow(2).mean().backward()
    opt.step()
