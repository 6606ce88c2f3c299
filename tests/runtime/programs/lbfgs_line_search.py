"""LBFGS with a strong Wolfe line search evaluates its closure many times. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
x, y = torch.randn(32, 4), torch.randn(32, 1)
opt = torch.optim.LBFGS(net.parameters(), line_search_fn="strong_wolfe", max_iter=5)


def closure():
    if not BUGGY:
        opt.zero_grad()
    loss = (net(x) - y).pow(2).mean()
    loss.backward()
    return loss


for step in range(4):
    opt.step(closure)
