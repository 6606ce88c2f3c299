"""The picture itself is the parameter. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU()).requires_grad_(False)
wanted = net(torch.rand(1, 1, 8, 8))
image = torch.rand(1, 1, 8, 8, requires_grad=True)
opt = torch.optim.Adam([image], lr=0.05)
for step in range(10):
    if not BUGGY:
        opt.zero_grad()
    (net(image) - wanted).pow(2).mean().backward()
    opt.step()
