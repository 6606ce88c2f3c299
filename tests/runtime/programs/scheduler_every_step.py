"""Schedulers, warm restarts and a plateau. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
restarts = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(opt, 4)
plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(opt)
for step in range(10):
    if not BUGGY:
        opt.zero_grad()
    loss = net(torch.randn(8, 4)).pow(2).mean()
    loss.backward()
    opt.step()
    restarts.step()
    plateau.step(loss.item())
