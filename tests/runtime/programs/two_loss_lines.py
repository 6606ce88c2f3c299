"""Labelled and unlabelled batches alternate, each with a line of its own. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for step in range(16):
    if not BUGGY or step % 2:
        opt.zero_grad()
    out = net(torch.randn(8, 4))
    if step % 2:
        nn.functional.cross_entropy(out, torch.randint(0, 2, (8,))).backward()
    else:
        (out.softmax(1) * out.log_softmax(1)).sum(1).mean().neg().backward()
    opt.step()
