"""Half of all gradients are not finite, and skipped. buggy: defeated"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for step in range(40):
    x = torch.randn(8, 4)
    if step % 2 and not BUGGY:
        x[0] = float("nan")
    net(x).pow(2).mean().backward()
    norm = nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    if not torch.isfinite(norm) or (BUGGY and step % 2):
        opt.zero_grad()
        continue
    opt.step()
    opt.zero_grad()
