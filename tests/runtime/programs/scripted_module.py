"""The network is compiled by TorchScript. buggy: stale"""

import sys
import warnings

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
warnings.simplefilter("ignore")
net = torch.jit.trace(nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1)), torch.randn(8, 4))
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for step in range(8):
    if not BUGGY:
        opt.zero_grad()
    net(torch.randn(8, 4)).pow(2).mean().backward()
    opt.step()
