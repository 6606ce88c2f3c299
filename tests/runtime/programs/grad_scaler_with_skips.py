"""Leftovers are unscaled, fresh gradients scaled, infinite steps skipped. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.Adam(net.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu", init_scale=65536.0)
for step in range(10):
    if not BUGGY or step in (3, 4, 7):
        opt.zero_grad()
    loss = net(torch.randn(8, 4)).pow(2).mean()
    if step in (3, 6):
        loss = loss * float("inf")
    scaler.scale(loss).backward()
    if step % 2:
        scaler.unscale_(opt)
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    scaler.step(opt)
    scaler.update()
    if step == 6:
        opt.zero_grad()
