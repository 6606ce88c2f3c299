"""A copy is trained on each task, and the model moves towards it. buggy: stale"""

import copy
import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(3, 1)
for task in range(5):
    fast = copy.deepcopy(net)
    opt = torch.optim.SGD(fast.parameters(), lr=0.05)
    for step in range(4):
        if not BUGGY:
            opt.zero_grad()
        (fast(torch.randn(8, 3)) - task).pow(2).mean().backward()
        opt.step()
    with torch.no_grad():
        for p, q in zip(net.parameters(), fast.parameters()):
            p += 0.5 * (q - p)
