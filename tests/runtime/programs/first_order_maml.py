"""The gradients of an adapted copy become those of the model. buggy: wiped"""

import copy
import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(3, 1)
meta = torch.optim.SGD(net.parameters(), lr=0.05)
for step in range(6):
    meta.zero_grad()
    for task in range(2):
        fast = copy.deepcopy(net)
        inner = torch.optim.SGD(fast.parameters(), lr=0.05)
        for inner_step in range(2):
            inner.zero_grad()
            (fast(torch.randn(8, 3)) - task).pow(2).mean().backward()
            if BUGGY:
                inner.zero_grad()
            inner.step()
        inner.zero_grad()
        (fast(torch.randn(8, 3)) - task).pow(2).mean().backward()
        for p, q in zip(net.parameters(), fast.parameters()):
            p.grad = q.grad.clone() if p.grad is None else p.grad + q.grad
    meta.step()
