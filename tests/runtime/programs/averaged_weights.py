"""Weights are averaged beside the training. buggy: stale"""

import sys

import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
mean = AveragedModel(net)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for step in range(8):
    if not BUGGY:
        opt.zero_grad()
    net(torch.randn(8, 4)).pow(2).mean().backward()
    opt.step()
    mean.update_parameters(net)
