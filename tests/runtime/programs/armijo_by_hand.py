"""An Armijo search without gradients for the trials; the update is by hand. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
x, y = torch.randn(32, 4), torch.randn(32, 1)
for step in range(10):
    loss = (net(x) - y).pow(2).mean()
    loss.backward()
    slope = sum(float(p.grad.pow(2).sum()) for p in net.parameters())
    rate = 1.0
    with torch.no_grad():
        for attempt in range(12):
            for p in net.parameters():
                p -= rate * p.grad
            if (net(x) - y).pow(2).mean() <= loss - 0.1 * rate * slope:
                break
            for p in net.parameters():
                p += rate * p.grad
            rate /= 2
    if not BUGGY:
        net.zero_grad()
