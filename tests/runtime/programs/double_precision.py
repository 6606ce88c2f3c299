"""All in double precision, with a number and an empty tensor among the parameters. buggy: wiped"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net, scale, empty = nn.Linear(4, 1).double(), nn.Parameter(torch.ones(())), torch.empty(0)
empty = nn.Parameter(empty)
opt = torch.optim.Adam([*net.parameters(), scale, empty], lr=0.05)
for step in range(8):
    opt.zero_grad()
    (scale * net(torch.randn(8, 4).double()).pow(2).mean() + empty.sum()).backward()
    if BUGGY:
        opt.zero_grad()
    opt.step()
