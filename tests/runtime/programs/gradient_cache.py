"""Contrastive loss over a large batch, replayed part by part. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for step in range(8):
    parts = torch.randn(16, 4).split(4)
    with torch.no_grad():
        codes = torch.cat([net(part) for part in parts])
    codes.requires_grad_()
    (codes @ codes.T).logsumexp(1).mean().backward()
    if not BUGGY:
        opt.zero_grad()
    for part, gradient in zip(parts, codes.grad.split(4)):
        net(part).backward(gradient)
    opt.step()
