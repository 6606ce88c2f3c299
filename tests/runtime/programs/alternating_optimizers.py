"""Two parts take turns; each is cleared before its own turn. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
one, other = nn.Linear(4, 4), nn.Linear(4, 1)
opts = [torch.optim.SGD(each.parameters(), lr=0.01) for each in (one, other)]
for step in range(16):
    turn = step % 2
    if not (BUGGY and turn):
        opts[turn].zero_grad()
    other(torch.tanh(one(torch.randn(8, 4)))).pow(2).mean().backward()
    opts[turn].step()
