"""Two losses are scaled first, then both run backward; then comes clipping. buggy: scaled"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
for step in range(8):
    opt.zero_grad()
    first, second = scaler.scale(
        [net(torch.randn(8, 4)).pow(2).mean(), net(torch.randn(8, 4)).abs().mean()]
    )
    first.backward()
    if BUGGY:
        scaler.unscale_(opt)
    second.backward()
    if not BUGGY:
        scaler.unscale_(opt)
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    scaler.step(opt)
    scaler.update()
