"""Convolutions with batch norm in another memory format. buggy: wiped"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Sequential(
    nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Linear(144, 2)
)
net = net.to(memory_format=torch.channels_last)
opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9, nesterov=True)
for step in range(6):
    opt.zero_grad()
    nn.functional.cross_entropy(net(torch.randn(8, 1, 8, 8)), torch.randint(0, 2, (8,))).backward()
    if BUGGY:
        opt.zero_grad()
    opt.step()
