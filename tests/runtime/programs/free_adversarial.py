"""One backward serves the attack and the weights, batch after batch. buggy: stale"""

import sys

import torch
from torch import nn

BUGGY = "--buggy" in sys.argv
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
shift = torch.zeros(8, 4)
for batch in range(4):
    x = torch.randn(8, 4)
    for replay in range(3):
        attacked = (x + shift).requires_grad_()
        if not BUGGY:
            opt.zero_grad()
        net(attacked).pow(2).mean().backward()
        shift = (shift + 0.1 * attacked.grad.sign()).clamp(-0.3, 0.3)
        opt.step()
