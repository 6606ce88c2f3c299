"""The optimizer of a frozen network steps in vain until it is unfrozen. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
body, head = nn.Linear(4, 4), nn.Linear(4, 1)
opt_body = torch.optim.SGD(body.parameters(), lr=0.01)
opt_head = torch.optim.SGD(head.parameters(), lr=0.01)
body.requires_grad_(False)
for step in range(21):
    if step == 8:
        body.requires_grad_(True)
    head(torch.tanh(body(torch.randn(8, 4)))).pow(2).mean().backward()
    if step % 2:
        opt_body.step()
        opt_head.step()
        opt_head.zero_grad()
        if not BUGGY:
            opt_body.zero_grad()
