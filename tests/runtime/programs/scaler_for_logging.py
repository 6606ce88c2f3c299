"""A scaled loss is only logged; what runs backward is not scaled. buggy: scaled"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net, other = nn.Linear(4, 1), nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
opt_other = torch.optim.SGD(other.parameters(), lr=0.01)
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
for step in range(8):
    opt.zero_grad()
    opt_other.zero_grad()
    scaled = scaler.scale(net(torch.randn(8, 4)).pow(2).mean())
    loss = other(torch.randn(8, 4)).pow(2).mean()
    (scaler.scale(loss) if BUGGY else loss).backward()
    opt_other.step()
    scaled.backward()
    scaler.step(opt)
    scaler.update()
