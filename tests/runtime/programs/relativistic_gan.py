"""Each network is cleared before its own loss. buggy: leak"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
gen, dis = nn.Linear(2, 3), nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
opt_g = torch.optim.Adam(gen.parameters(), lr=0.01)
opt_d = torch.optim.Adam(dis.parameters(), lr=0.01)
for step in range(10):
    real, noise = torch.randn(8, 3), torch.randn(8, 2)
    opt_g.zero_grad()
    (dis(real).detach() - dis(gen(noise))).sigmoid().mean().backward()
    opt_g.step()
    if not BUGGY:
        opt_d.zero_grad()
    (dis(gen(noise).detach()) - dis(real)).sigmoid().mean().backward()
    opt_d.step()
    if BUGGY:
        opt_d.zero_grad()
