"""`w.data = …` keeps the leaf and its buffer, `w = …` makes a new one. buggy: stale"""

import sys

import torch

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
w = torch.randn(4, 1, requires_grad=True)
v = torch.randn(4, 1, requires_grad=True)
for step in range(8):
    (torch.randn(8, 4) @ (w + v) - 1).pow(2).mean().backward()
    w.data = w.data - 0.1 * w.grad
    if not BUGGY:
        w.grad = None
    v = (v - 0.1 * v.grad).detach().requires_grad_()
