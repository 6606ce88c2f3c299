"""The body is fed from the second epoch on; batches are left over at the end. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
body, head = nn.Linear(4, 4), nn.Linear(4, 1)
opt_body = torch.optim.SGD(body.parameters(), lr=0.01)
opt_head = torch.optim.SGD(head.parameters(), lr=0.01)
for step in range(15):
    with torch.set_grad_enabled(step >= 6):
        features = torch.tanh(body(torch.randn(8, 4)))
    head(features).pow(2).mean().backward()
    if step % 2:
        opt_body.step()
        opt_head.step()
        opt_body.zero_grad()
        if not BUGGY:
            opt_head.zero_grad()
