"""An averaged copy of the weights moves, but not by gradients. buggy: stale"""

import copy
import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
average = copy.deepcopy(net)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(8):
    if not BUGGY:
        opt.zero_grad()
    x = torch.randn(8, 4)
    # The copy is not detached, as happens: it collects gradients that nobody applies.
    (net(x) - 0.9 * average(x)).pow(2).mean().backward()
    opt.step()
    with torch.no_grad():
        for kept, p in zip(average.parameters(), net.parameters()):
            kept.lerp_(p, 0.3)
