"""Rates are tried on a copy of the state, which is restored afterwards. buggy: stale"""

import copy
import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=1e-4)


def one_step(x):
    if not BUGGY:
        opt.zero_grad()
    net(x).pow(2).mean().backward()
    opt.step()


saved = copy.deepcopy((net.state_dict(), opt.state_dict()))
for trial in range(8):
    opt.param_groups[0]["lr"] *= 2
    one_step(torch.randn(8, 4))
net.load_state_dict(saved[0])
opt.load_state_dict(saved[1])
for step in range(8):
    one_step(torch.randn(8, 4))
