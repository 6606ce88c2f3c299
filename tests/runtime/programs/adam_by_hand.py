"""Adam written by hand. buggy: stale"""

import sys

import torch

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
w = torch.randn(4, 1, requires_grad=True)
first, second = torch.zeros_like(w), torch.zeros_like(w)
for step in range(1, 11):
    (torch.randn(8, 4) @ w - 1).pow(2).mean().backward()
    with torch.no_grad():
        first.lerp_(w.grad, 0.1)
        second.lerp_(w.grad.square(), 0.001)
        hat = first / (1 - 0.9**step), second / (1 - 0.999**step)
        w -= 0.05 * hat[0] / (hat[1].sqrt() + 1e-8)
        if not BUGGY:
            w.grad.zero_()
