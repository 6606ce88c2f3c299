"""The losses of an episode are gathered, then one backward. buggy: wiped"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 2)
opt = torch.optim.Adam(net.parameters(), lr=0.01)
for episode in range(10):
    losses = []
    for step in range(5):
        log_prob = torch.log_softmax(net(torch.randn(4)), 0)[step % 2]
        losses.append(-log_prob * torch.randn(()))
    opt.zero_grad()
    torch.stack(losses).sum().backward()
    if BUGGY:
        opt.zero_grad()
    opt.step()
