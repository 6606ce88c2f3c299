"""Two gradients by autograd.grad are added into the buffers by hand. buggy: wiped"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
params = list(net.parameters())
opt = torch.optim.SGD(params, lr=0.05)
for step in range(10):
    opt.zero_grad()
    net(torch.randn(8, 4)).pow(2).mean().backward()
    extra = torch.autograd.grad(net(torch.randn(8, 4)).abs().mean(), params)
    for p, g in zip(params, extra):
        p.grad += g
    if BUGGY:
        opt.zero_grad()
    opt.step()
