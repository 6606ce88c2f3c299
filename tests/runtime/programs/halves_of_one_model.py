"""Two optimizers hold halves of one model, and one loss feeds both. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
body, head = nn.Linear(4, 4), nn.Linear(4, 1)
opt_body = torch.optim.SGD(body.parameters(), lr=0.01)
opt_head = torch.optim.Adam(head.parameters(), lr=0.01)
for step in range(10):
    opt_head.zero_grad()
    if not BUGGY:
        opt_body.zero_grad()
    head(torch.tanh(body(torch.randn(8, 4)))).pow(2).mean().backward()
    opt_body.step()
    opt_head.step()
