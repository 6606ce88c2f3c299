"""A whole epoch of gradients is gathered before one update by hand. buggy: stale"""

import sys

import torch

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
w = torch.randn(4, 1, requires_grad=True)
for epoch in range(5):
    for batch in range(4):
        ((torch.randn(8, 4) @ w - 1).pow(2).mean() / 4).backward()
    with torch.no_grad():
        w -= 0.05 * w.grad
    if not BUGGY:
        w.grad.zero_()
