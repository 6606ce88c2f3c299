"""A worker's gradients are lent to the shared model, as A3C does. buggy: stale"""

import copy
import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
shared = nn.Linear(3, 1)
worker = copy.deepcopy(shared)
opt = torch.optim.SGD(shared.parameters(), lr=0.05)
for step in range(8):
    worker.load_state_dict(shared.state_dict())
    opt.zero_grad()
    if not BUGGY:
        worker.zero_grad()
    worker(torch.randn(8, 3)).pow(2).mean().backward()
    for p, q in zip(shared.parameters(), worker.parameters()):
        p.grad = q.grad
    opt.step()
