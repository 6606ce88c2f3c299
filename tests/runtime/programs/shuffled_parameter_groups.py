"""Groups are regrouped while training. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
body, head = nn.Linear(4, 4), nn.Linear(4, 1)
opt = torch.optim.SGD([*body.parameters(), *head.parameters()], lr=0.05)
for step in range(12):
    if step == 6:
        opt.param_groups[0]["params"] = list(body.parameters())
        opt.add_param_group({"params": list(head.parameters()), "lr": 0.01})
    if not BUGGY or step < 6:
        opt.zero_grad()
    head(body(torch.randn(8, 4))).pow(2).mean().backward()
    opt.step()
