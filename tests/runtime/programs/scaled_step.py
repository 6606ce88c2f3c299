"""A scaled loss, applied by a plain step. buggy: scaled"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=1e-6)
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
for step in range(8):
    opt.zero_grad()
    scaler.scale(net(torch.randn(8, 4)).pow(2).mean()).backward()
    if BUGGY:
        opt.step()
    else:
        scaler.step(opt)
        scaler.update()
