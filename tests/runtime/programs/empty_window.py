"""Steps that no backward feeds, because the loss is computed elsewhere. buggy: unfed"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net, other = nn.Linear(4, 1), nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for step in range(8):
    opt.zero_grad()
    (other if BUGGY else net)(torch.randn(8, 4)).pow(2).mean().backward()
    opt.step()
