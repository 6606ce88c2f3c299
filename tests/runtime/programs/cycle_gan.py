"""Two generators share an optimizer, two discriminators another one. buggy: stale"""

import itertools
import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
gens, discs = [[nn.Linear(3, 3), nn.Linear(3, 3)], [nn.Linear(3, 1), nn.Linear(3, 1)]]
opt_g = torch.optim.Adam(itertools.chain(*(g.parameters() for g in gens)), lr=0.01)
opt_d = torch.optim.Adam(itertools.chain(*(d.parameters() for d in discs)), lr=0.01)
for step in range(8):
    a, b = torch.randn(8, 3), torch.randn(8, 3)
    for d in discs:
        d.requires_grad_(False)
    opt_g.zero_grad()
    fakes = gens[0](a), gens[1](b)
    cycles = gens[1](fakes[0]), gens[0](fakes[1])
    loss = sum((c - x).abs().mean() for c, x in zip(cycles, (a, b)))
    (loss - sum(d(f).mean() for d, f in zip(discs, fakes))).backward()
    opt_g.step()
    for d in discs:
        d.requires_grad_(True)
    if not BUGGY:
        opt_d.zero_grad()
    for d, f, real in zip(discs, fakes, (b, a)):
        (d(f.detach()).mean() - d(real).mean()).backward()
    opt_d.step()
