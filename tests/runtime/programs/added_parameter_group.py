"""A second group joins the optimizer in the middle of training. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
trunk, head = nn.Linear(4, 4), nn.Linear(4, 1)
opt = torch.optim.SGD(head.parameters(), lr=0.01)
for step in range(8):
    if step == 3:
        trunk.zero_grad()
        opt.add_param_group({"params": trunk.parameters()})
    (head if BUGGY else opt).zero_grad()
    head(trunk(torch.randn(8, 4))).pow(2).mean().backward()
    opt.step()
