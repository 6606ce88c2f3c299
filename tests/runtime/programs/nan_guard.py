"""Bad batches are dropped after backward now and then; that is no bug. buggy: defeated"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(40):
    net(torch.randn(8, 4)).pow(2).mean().backward()
    if step % 2 == 0 if BUGGY else step in (7, 20):
        opt.zero_grad()
        continue
    opt.step()
    opt.zero_grad()
