"""Weight decay moves parameters whose gradient is an honest zero. buggy: wiped"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1, weight_decay=0.1, momentum=0.9)
for step in range(8):
    opt.zero_grad(set_to_none=False)
    net(torch.randn(8, 4)).pow(2).mean().backward()
    if BUGGY:
        opt.zero_grad(set_to_none=False)
    opt.step()
