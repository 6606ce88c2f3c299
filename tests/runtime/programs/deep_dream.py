"""An image climbs its own gradient. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU()).requires_grad_(False)
image = torch.rand(1, 1, 8, 8, requires_grad=True)
for step in range(10):
    net(image).mean().backward()
    with torch.no_grad():
        image += 0.1 * image.grad / image.grad.abs().mean()
    if not BUGGY:
        image.grad.zero_()
