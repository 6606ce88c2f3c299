"""The head has a second loss of its own, and is meant to learn from both. buggy: leak"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
body, head = nn.Linear(4, 4), nn.Linear(4, 1)
opt_body = torch.optim.SGD(body.parameters(), lr=0.01)
opt_head = torch.optim.SGD(head.parameters(), lr=0.01)
for step in range(10):
    opt_body.zero_grad()
    opt_head.zero_grad()
    features = torch.tanh(body(torch.randn(8, 4)))
    if not BUGGY:
        (head(features.detach()) - 1).pow(2).mean().backward()
    head(features).pow(2).mean().backward()
    opt_body.step()
    if BUGGY:
        (head(features.detach()) - 1).pow(2).mean().backward()
    opt_head.step()
