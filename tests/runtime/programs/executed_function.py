"""The training function is compiled from text. buggy: wiped"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
text = f"""
def train(net, opt, x):
    opt.zero_grad()
    net(x).pow(2).mean().backward()
    if {BUGGY}:
        opt.zero_grad()
    opt.step()
"""
space = {}
exec(text, space)
for step in range(8):
    space["train"](net, opt, torch.randn(8, 4))
