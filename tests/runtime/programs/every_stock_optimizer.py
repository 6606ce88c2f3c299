"""Torch's own optimizers, one after the other. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
for kind in (
    "SGD",
    "Adam",
    "AdamW",
    "Adagrad",
    "Adadelta",
    "Adamax",
    "ASGD",
    "NAdam",
    "RAdam",
    "Rprop",
):
    net = nn.Linear(4, 1)
    opt = getattr(torch.optim, kind)(net.parameters(), lr=0.01)
    for step in range(6):
        if not (BUGGY and kind == "RAdam"):
            opt.zero_grad()
        net(torch.randn(8, 4)).pow(2).mean().backward()
        opt.step()
