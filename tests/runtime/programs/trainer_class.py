"""A trainer with methods for each part. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)


class Trainer:
    def __init__(self, net):
        self.net, self.opt = net, torch.optim.Adam(net.parameters(), lr=0.05)

    def fit(self, steps):
        for step in range(steps):
            self.before()
            self.net(torch.randn(8, 4)).pow(2).mean().backward()
            self.opt.step()

    def before(self):
        if not BUGGY:
            self.opt.zero_grad()


Trainer(nn.Linear(4, 1)).fit(8)
