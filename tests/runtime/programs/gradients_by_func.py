"""Gradients come from torch.func and are assigned. buggy: stale"""

import sys

import torch
from torch import nn
from torch.func import functional_call, grad

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
params = dict(net.named_parameters())
opt = torch.optim.SGD(net.parameters(), lr=0.05)
slope = grad(lambda values, x: functional_call(net, values, x).pow(2).mean())
for step in range(8):
    if step < 4:
        for name, g in slope({k: v.detach() for k, v in params.items()}, torch.randn(8, 4)).items():
            params[name].grad = g
    else:
        if not BUGGY or step == 4:
            opt.zero_grad()
        net(torch.randn(8, 4)).pow(2).mean().backward()
    opt.step()
