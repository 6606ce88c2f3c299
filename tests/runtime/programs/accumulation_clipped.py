"""A window of micro-batches is clipped once. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for step in range(24):
    (net(torch.randn(8, 4)).pow(2).mean() / 4).backward()
    if step % 4 == 3:
        nn.utils.clip_grad_norm_(net.parameters(), 0.1)
        opt.step()
        if not BUGGY:
            opt.zero_grad()
