"""The generator steps twice for each step of the discriminator. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
gen, dis = nn.Linear(2, 3), nn.Linear(3, 1)
opt_g = torch.optim.SGD(gen.parameters(), lr=0.01)
opt_d = torch.optim.SGD(dis.parameters(), lr=0.01)
for step in range(6):
    dis.zero_grad()
    (dis(gen(torch.randn(8, 2)).detach()).mean() - dis(torch.randn(8, 3)).mean()).backward()
    opt_d.step()
    for again in range(2):
        if not BUGGY:
            gen.zero_grad()
        (-dis(gen(torch.randn(8, 2))).mean()).backward()
        opt_g.step()
