"""Four numbers fitted by hand, as the tutorial does. buggy: stale"""

import math
import sys

import torch

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
x = torch.linspace(-math.pi, math.pi, 200)
a, b, c, d = (torch.randn((), requires_grad=True) for _ in range(4))
for step in range(12):
    (a + b * x + c * x**2 + d * x**3 - x.sin()).pow(2).mean().backward()
    with torch.no_grad():
        for each in (a, b, c, d):
            each -= 1e-4 * each.grad
            if not BUGGY:
                each.grad = None
