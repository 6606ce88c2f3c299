"""Gradients much larger than usual are dropped. buggy: defeated"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.001)
for step in range(48):
    opt.zero_grad()
    net(torch.randn(8, 4) * torch.randn(()).exp()).pow(2).mean().backward()
    norm = nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    if step % 3 != 2 if BUGGY else norm > 1.5:
        continue
    opt.step()
