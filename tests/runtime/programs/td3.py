"""The actor steps every second time; its loss runs through the critic. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
actor, critic = nn.Linear(3, 2), nn.Linear(5, 1)
opt_a = torch.optim.Adam(actor.parameters(), lr=0.01)
opt_c = torch.optim.Adam(critic.parameters(), lr=0.01)
for step in range(16):
    s, a, r = torch.randn(8, 3), torch.randn(8, 2), torch.randn(8, 1)
    if not BUGGY:
        opt_c.zero_grad()
    (critic(torch.cat([s, a], 1)) - r).pow(2).mean().backward()
    opt_c.step()
    if step % 2:
        opt_a.zero_grad()
        (-critic(torch.cat([s, actor(s)], 1)).mean()).backward()
        opt_a.step()
