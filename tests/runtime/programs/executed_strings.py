"""Two losses whose code comes from strings, run at one line. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
cells = [
    "opt.zero_grad()\nnet(torch.randn(8, 4)).abs().mean().backward()\nopt.zero_grad()",
    "net(torch.randn(8, 4)).pow(2).mean().backward()",
    "opt.step()",
    "pass" if BUGGY else "opt.zero_grad()",
]
if BUGGY:
    del cells[0]
for step in range(8):
    for cell in cells:
        exec(cell)
