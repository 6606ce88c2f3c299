"""A slow copy of the network gives the targets. buggy: stale"""

import copy
import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
online, predictor = nn.Linear(4, 3), nn.Linear(3, 3)
slow = copy.deepcopy(online).requires_grad_(False)
opt = torch.optim.SGD([*online.parameters(), *predictor.parameters()], lr=0.05)
for step in range(10):
    x = torch.randn(16, 4)
    one = predictor(online(x + 0.1 * torch.randn_like(x)))
    with torch.no_grad():
        other = slow(x + 0.1 * torch.randn_like(x))
    if not BUGGY:
        opt.zero_grad()
    (-nn.functional.cosine_similarity(one, other).mean()).backward()
    opt.step()
    with torch.no_grad():
        for p, q in zip(slow.parameters(), online.parameters()):
            p.lerp_(q, 0.1)
