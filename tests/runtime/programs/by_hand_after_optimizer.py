"""First a model with an optimizer, then another one by hand. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.Adam(net.parameters(), lr=0.01)
for step in range(6):
    opt.zero_grad()
    net(torch.randn(8, 4)).pow(2).mean().backward()
    opt.step()
w = torch.randn(4, 1, requires_grad=True)
for step in range(8):
    (torch.randn(8, 4) @ w - 1).pow(2).mean().backward()
    with torch.no_grad():
        w -= 0.05 * w.grad
    if not BUGGY:
        w.grad = None
