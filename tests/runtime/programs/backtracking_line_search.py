"""Trial points are evaluated with backward passes of their own, then undone. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
params = list(net.parameters())
x, y = torch.randn(32, 4), torch.randn(32, 1)


def evaluate():
    for p in params:
        p.grad = None if not BUGGY else p.grad
    loss = (net(x) - y).pow(2).mean()
    loss.backward()
    return loss.item()


loss = evaluate()
for step in range(8):
    start = [p.detach().clone() for p in params]
    direction = [p.grad.clone() for p in params]
    rate = 1.0
    while True:
        with torch.no_grad():
            for p, origin, d in zip(params, start, direction):
                p.copy_(origin - rate * d)
        trial = evaluate()
        if trial < loss or rate < 1e-3:
            break
        rate /= 2
    loss = trial
