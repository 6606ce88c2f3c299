"""Weights and optimizer state are saved and loaded in the middle. buggy: stale"""

import io
import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.Adam(net.parameters(), lr=0.1)
for step in range(10):
    if step == 5:
        file = io.BytesIO()
        torch.save({"net": net.state_dict(), "opt": opt.state_dict()}, file)
        file.seek(0)
        state = torch.load(file)
        net.load_state_dict(state["net"])
        opt.load_state_dict(state["opt"])
    if not BUGGY:
        opt.zero_grad()
    net(torch.randn(8, 4)).pow(2).mean().backward()
    opt.step()
