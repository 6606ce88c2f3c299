"""A backward whose gradient is zero has not been wiped. buggy: wiped"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(8):
    opt.zero_grad(set_to_none=step % 2 == 0)
    loss = net(torch.randn(8, 4)).pow(2).mean()
    (loss if BUGGY else loss * 0).backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    if BUGGY:
        for p in net.parameters():
            p.grad.fill_(0)
    opt.step()
