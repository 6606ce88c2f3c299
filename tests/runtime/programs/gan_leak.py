"""A discriminator that also applies the generator's loss. buggy: leak"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
gen, dis = nn.Linear(2, 3), nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
opt_g = torch.optim.Adam(gen.parameters(), lr=0.01)
opt_d = torch.optim.Adam(dis.parameters(), lr=0.01)
for step in range(10):
    opt_d.zero_grad()
    opt_g.zero_grad()
    fake = gen(torch.randn(8, 2))
    (-dis(fake).mean()).backward()
    opt_g.step()
    if not BUGGY:
        opt_d.zero_grad()
    (dis(fake.detach()).mean() - dis(torch.randn(8, 3)).mean()).backward()
    opt_d.step()
