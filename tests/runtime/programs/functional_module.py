"""The network is called as a function of its parameters. buggy: stale"""

import sys

import torch
from torch import nn
from torch.func import functional_call

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
params = {name: p.detach().clone().requires_grad_() for name, p in net.named_parameters()}
opt = torch.optim.SGD(params.values(), lr=0.05)
for step in range(8):
    if not BUGGY:
        opt.zero_grad()
    functional_call(net, params, torch.randn(8, 4)).pow(2).mean().backward()
    opt.step()
