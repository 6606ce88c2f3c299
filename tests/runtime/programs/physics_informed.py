"""Derivatives by the inputs are part of the loss; Adam first, LBFGS after it. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1))
adam = torch.optim.Adam(net.parameters(), lr=0.01)
lbfgs = torch.optim.LBFGS(net.parameters(), max_iter=3)


def loss():
    x = torch.linspace(0, 1, 16).unsqueeze(1).requires_grad_()
    u = net(x)
    (du,) = torch.autograd.grad(u.sum(), x, create_graph=True)
    return (du + u).pow(2).mean() + (u[0] - 1).pow(2).mean()


def closure():
    lbfgs.zero_grad()
    value = loss()
    value.backward()
    return value


for step in range(8):
    if not BUGGY:
        adam.zero_grad()
    loss().backward()
    adam.step()
for step in range(3):
    lbfgs.step(closure)
