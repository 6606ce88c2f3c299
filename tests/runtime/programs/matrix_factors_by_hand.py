"""Two factors of a matrix, updated by hand. buggy: stale"""

import sys

import torch

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
wanted = torch.randn(6, 5)
left, right = torch.randn(6, 2, requires_grad=True), torch.randn(2, 5, requires_grad=True)
for step in range(10):
    (left @ right - wanted).pow(2).mean().backward()
    with torch.no_grad():
        for factor in (left, right):
            factor -= 0.2 * factor.grad
            if not BUGGY or factor is left:
                factor.grad.zero_()
