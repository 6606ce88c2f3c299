"""Five critic steps with a gradient penalty, then one of the generator. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
gen, critic = nn.Linear(2, 3), nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
opt_g = torch.optim.Adam(gen.parameters(), lr=0.01)
opt_c = torch.optim.Adam(critic.parameters(), lr=0.01)
for step in range(4):
    for inner in range(5):
        real, fake = torch.randn(8, 3), gen(torch.randn(8, 2)).detach()
        mixed = (real + torch.rand(8, 1) * (fake - real)).requires_grad_()
        (slope,) = torch.autograd.grad(critic(mixed).sum(), mixed, create_graph=True)
        penalty = (slope.norm(dim=1) - 1).pow(2).mean()
        if not BUGGY:
            opt_c.zero_grad()
        (critic(fake).mean() - critic(real).mean() + 10 * penalty).backward()
        opt_c.step()
    opt_g.zero_grad()
    (-critic(gen(torch.randn(8, 2))).mean()).backward()
    opt_g.step()
