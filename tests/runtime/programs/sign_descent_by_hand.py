"""Only the sign of the gradient is used. buggy: stale"""

import sys

import torch

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
w = torch.randn(6, 1, requires_grad=True)
for step in range(10):
    (torch.randn(16, 6) @ w - 1).pow(2).mean().backward()
    with torch.no_grad():
        w -= 0.01 * w.grad.sign()
    if not BUGGY:
        w.grad = None
