"""LBFGS evaluates its closure many times within one step. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.LBFGS(net.parameters(), lr=0.1, max_iter=5, line_search_fn="strong_wolfe")
x = torch.randn(16, 4)


def closure():
    if not BUGGY:
        opt.zero_grad()
    loss = (net(x) - x.sum(1, keepdim=True)).pow(2).mean()
    loss.backward()
    return loss


for step in range(4):
    opt.step(closure)
