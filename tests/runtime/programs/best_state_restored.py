"""The best weights are loaded again when a validation gets worse. buggy: wiped"""

import copy
import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
best, kept = float("inf"), copy.deepcopy(net.state_dict())
for step in range(12):
    opt.zero_grad()
    net(torch.randn(8, 4)).pow(2).mean().backward()
    if BUGGY:
        opt.zero_grad()
    opt.step()
    with torch.no_grad():
        loss = net(torch.randn(8, 4)).pow(2).mean().item()
    if loss < best:
        best, kept = loss, copy.deepcopy(net.state_dict())
    elif step % 4 == 3:
        net.load_state_dict(kept)
