"""The scaled loss is divided for accumulation after scaling. buggy: scaled"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
for step in range(16):
    (scaler.scale(net(torch.randn(8, 4)).pow(2).mean()) / 4).backward()
    if step % 4 == 3:
        if not BUGGY:
            scaler.unscale_(opt)
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        scaler.step(opt)
        scaler.update()
        opt.zero_grad()
