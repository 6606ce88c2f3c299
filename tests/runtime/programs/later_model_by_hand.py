"""One helper trains model after model by hand. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)


def train(net, *, clear):
    for step in range(6):
        net(torch.randn(8, 4)).pow(2).mean().backward()
        with torch.no_grad():
            for p in net.parameters():
                p -= 0.05 * p.grad
        if clear:
            net.zero_grad()


for number in range(4):
    train(nn.Linear(4, 1), clear=not (BUGGY and number == 3))
