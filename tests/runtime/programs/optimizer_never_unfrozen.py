"""A short run of a schedule that would unfreeze the body later. buggy: unfed"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
body, head = nn.Linear(4, 4), nn.Linear(4, 1)
opt_body = torch.optim.SGD(body.parameters(), lr=0.01)
opt_head = torch.optim.SGD(head.parameters(), lr=0.01)
body.requires_grad_(BUGGY)
for step in range(8):
    opt_body.zero_grad()
    opt_head.zero_grad()
    features = body(torch.randn(8, 4))
    head(features.detach()).pow(2).mean().backward()
    opt_body.step()
    opt_head.step()
