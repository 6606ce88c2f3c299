"""Raw tensors updated in place under no_grad. buggy: stale"""

import sys

import torch

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
w = torch.randn(4, 1, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
for step in range(8):
    (torch.randn(8, 4) @ w + b - 1).pow(2).mean().backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
        b -= 0.1 * b.grad
    if not BUGGY:
        w.grad.zero_()
        b.grad = None
