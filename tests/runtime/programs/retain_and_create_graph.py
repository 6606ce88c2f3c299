"""Two passes over one graph; create_graph makes each buffer a new tensor. buggy: stale"""

import sys
import warnings

import torch
from torch import nn

warnings.simplefilter("ignore")
BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for step in range(8):
    if not BUGGY:
        opt.zero_grad()
    loss = net(torch.randn(8, 4)).pow(2).mean()
    loss.backward(retain_graph=True, create_graph=step % 2 == 1)
    loss.backward()
    opt.step()
