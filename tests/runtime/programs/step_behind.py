"""A step one backward behind is wrong; a dummy step for a scheduler is not. buggy: unfed"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.ConstantLR(opt)
if not BUGGY:
    opt.step()  # a common way to quieten the scheduler's warning
    scheduler.step()
for step in range(8):
    if BUGGY:
        opt.step()
    opt.zero_grad()
    net(torch.randn(8, 4)).pow(2).mean().backward()
    if not BUGGY:
        opt.step()
