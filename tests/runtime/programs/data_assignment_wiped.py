"""The weight gets new data, computed from a gradient that may be gone. buggy: wiped"""

import sys

import torch

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
w = torch.randn(4, 1, requires_grad=True)
for step in range(8):
    (torch.randn(8, 4) @ w - 1).pow(2).mean().backward()
    if BUGGY:
        w.grad.zero_()
    w.data = w.data - 0.1 * w.grad
    w.grad.zero_()
