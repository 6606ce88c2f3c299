"""The critic's weights are clipped after every step. buggy: wiped"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
gen, critic = nn.Linear(2, 3), nn.Linear(3, 1)
opt_g = torch.optim.RMSprop(gen.parameters(), lr=0.01)
opt_c = torch.optim.RMSprop(critic.parameters(), lr=0.01)
for step in range(10):
    opt_c.zero_grad()
    (critic(gen(torch.randn(8, 2)).detach()).mean() - critic(torch.randn(8, 3)).mean()).backward()
    opt_c.step()
    with torch.no_grad():
        for p in critic.parameters():
            p.clamp_(-0.1, 0.1)
    opt_g.zero_grad()
    (-critic(gen(torch.randn(8, 2))).mean()).backward()
    if BUGGY:
        opt_g.zero_grad()
    opt_g.step()
