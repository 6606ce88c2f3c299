"""Three tasks with a head each; heads of other tasks rest. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
body, heads = nn.Linear(4, 8), nn.ModuleList(nn.Linear(8, 1) for _ in range(3))
opt = torch.optim.SGD([*body.parameters(), *heads.parameters()], lr=0.01)
for step in range(15):
    if not BUGGY:
        opt.zero_grad()
    heads[step % 3](torch.tanh(body(torch.randn(8, 4)))).pow(2).mean().backward()
    opt.step()
