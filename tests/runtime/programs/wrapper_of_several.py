"""One optimizer of the program's own that steps two others. buggy: wiped"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)


class Several(torch.optim.Optimizer):
    def __init__(self, *inner):
        self.inner = inner
        super().__init__([p for opt in inner for g in opt.param_groups for p in g["params"]], {})

    def step(self, closure=None):
        for opt in self.inner:
            opt.step()


one, other = nn.Linear(4, 4), nn.Linear(4, 1)
opt = Several(
    torch.optim.SGD(one.parameters(), lr=0.01), torch.optim.Adam(other.parameters(), lr=0.01)
)
for step in range(8):
    opt.zero_grad()
    other(one(torch.randn(8, 4))).pow(2).mean().backward()
    if BUGGY:
        opt.zero_grad()
    opt.step()
