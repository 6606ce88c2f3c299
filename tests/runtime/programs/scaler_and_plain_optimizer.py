"""One of two networks trains without the scaler. buggy: scaled"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
one, other = nn.Linear(4, 1), nn.Linear(4, 1)
opt_one = torch.optim.SGD(one.parameters(), lr=0.01)
opt_other = torch.optim.SGD(other.parameters(), lr=0.01)
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
for step in range(8):
    opt_one.zero_grad()
    scaler.scale(one(torch.randn(8, 4)).pow(2).mean()).backward()
    if BUGGY:
        opt_one.step()
    else:
        scaler.step(opt_one)
        scaler.update()
    opt_other.zero_grad()
    other(torch.randn(8, 4)).pow(2).mean().backward()
    nn.utils.clip_grad_norm_(other.parameters(), 1.0)
    opt_other.step()
