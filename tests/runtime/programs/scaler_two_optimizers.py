"""One optimizer is unscaled and clipped, the other one only stepped. buggy: scaled"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
one, other = nn.Linear(4, 4), nn.Linear(4, 1)
opts = [torch.optim.SGD(each.parameters(), lr=0.01) for each in (one, other)]
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
for step in range(8):
    for opt in opts:
        opt.zero_grad()
    scaler.scale(other(one(torch.randn(8, 4))).pow(2).mean()).backward()
    scaler.unscale_(opts[0])
    nn.utils.clip_grad_norm_((other if BUGGY else one).parameters(), 1.0)
    for opt in opts:
        scaler.step(opt)
    scaler.update()
