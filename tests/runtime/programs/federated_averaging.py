"""Copies are trained by themselves and averaged. buggy: stale"""

import copy
import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
server = nn.Linear(4, 1)
for round_ in range(3):
    clients = [copy.deepcopy(server) for _ in range(3)]
    for client in clients:
        opt = torch.optim.SGD(client.parameters(), lr=0.05)
        for step in range(3):
            if not BUGGY:
                opt.zero_grad()
            client(torch.randn(8, 4)).pow(2).mean().backward()
            opt.step()
    with torch.no_grad():
        for name, p in server.named_parameters():
            p.copy_(torch.stack([dict(c.named_parameters())[name] for c in clients]).mean(0))
