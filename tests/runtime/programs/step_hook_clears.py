"""A hook after every step clears the gradients. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
if not BUGGY:
    opt.register_step_post_hook(lambda optimizer, args, kwargs: optimizer.zero_grad())
for step in range(8):
    net(torch.randn(8, 4)).pow(2).mean().backward()
    opt.step()
