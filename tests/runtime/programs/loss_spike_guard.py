"""Batches with an unusual loss are skipped: about half, at random. buggy: defeated"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.001)
for step in range(60):
    opt.zero_grad()
    loss = net(torch.randn(8, 4)).pow(2).mean() + torch.rand(())
    loss.backward()
    if step % 4 != 3 if BUGGY else loss.item() > 0.9:
        continue
    opt.step()
