"""A gradient penalty by torch.autograd.grad deposits nothing. buggy: unfed"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for step in range(8):
    opt.zero_grad()
    x = torch.randn(8, 4, requires_grad=True)
    loss = net(x).mean()
    (penalty,) = torch.autograd.grad(loss, x, create_graph=True)
    torch.autograd.grad(loss, net.parameters(), retain_graph=True)
    if not BUGGY:
        (loss + penalty.pow(2).mean()).backward()
    opt.step()
