"""Scaled losses are gathered over four micro-batches. buggy: defeated"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
for step in range(32):
    if BUGGY or step % 4 == 0:
        opt.zero_grad()
    scaler.scale(net(torch.randn(8, 4)).pow(2).mean() / 4).backward()
    if step % 4 == 3:
        scaler.step(opt)
        scaler.update()
